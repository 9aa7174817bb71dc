// Puts the viewer of the API's reference into dist/docs, compressed: `npm start` runs this each time.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { constants, gzipSync } from 'node:zlib';

const viewer = path.dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));
const folder = path.resolve(import.meta.dirname, '../dist/docs');

const read = (name) => readFile(path.join(viewer, name));
const packed = async (name) => gzipSync(await read(name), { level: constants.Z_BEST_COMPRESSION });

await mkdir(folder, { recursive: true });
await put('swagger-ui.js.gz', await packed('swagger-ui-bundle.js'));
await put('swagger-ui.css.gz', await packed('swagger-ui.css'));
const licences = ['NOTICE', 'LICENSE', 'swagger-ui-bundle.js.LICENSE.txt'].map(read);
await put('LICENSES.txt', Buffer.from((await Promise.all(licences)).join('\n\n')));

/** At once, so that a server that starts meanwhile reads no half of it. */
async function put(name, bytes) {
  const file = path.join(folder, name);
  const present = await readFile(file).catch(() => null);
  if (present?.equals(bytes)) return;
  const aside = `${file}.${process.pid}`;
  await writeFile(aside, bytes);
  await rename(aside, file);
}

// Builds the dashboard into dist/web, where what it is made of has changed: `npm start` runs this each time.
import { createHash } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

// Else React would come in its slower form for developers, with warnings.
process.env.NODE_ENV = 'production';

const root = path.resolve(import.meta.dirname, '..');
const folder = path.join(root, 'dist/web');
const record = path.join(folder, '.sources');

/** Bytes below which compression does not pay. */
const minCompressed = 1024;

const given = await readFile(record, 'utf8').then(JSON.parse, () => ({ hash: '', modules: [] }));
if (given.hash !== (await hashOf(given.modules))) await build();

async function build() {
  const vite = await import('vite');
  // Beside it first: a build that fails leaves the old one.
  const outDir = path.join(root, `dist/.web-${process.pid}`);
  try {
    let modules = [];
    const notesModules = {
      name: 'notes-modules',
      buildEnd() {
        modules = [...this.getModuleIds()].filter(isOfElsewhere).map((id) => path.relative(root, id));
      },
    };
    const configFile = path.join(root, 'vite.config.ts');
    const options = { build: { outDir, emptyOutDir: true }, plugins: [notesModules] };
    await vite.build({ configFile, logLevel: 'warn', ...options });
    await compress(outDir);
    await writeFile(path.join(outDir, '.sources'), JSON.stringify({ hash: await hashOf(modules), modules }));
    await rm(folder, { recursive: true, force: true });
    await rename(outDir, folder);
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}

/** Modules outside of src/web that the page has of us. Packages are in the lock file. */
function isOfElsewhere(id) {
  return id.startsWith(path.join(root, 'src/')) && !id.startsWith(path.join(root, 'src/web/'));
}

/** Of the content of all sources. */
async function hashOf(modules) {
  const own = (await filesIn(path.join(root, 'src/web'))).map((file) => path.relative(root, file));
  const settings = ['vite.config.ts', 'package-lock.json', 'scripts/build-web.js', 'scripts/third-party.ts'];
  const hash = createHash('sha256');
  for (const file of [...own, ...modules, ...settings].sort()) {
    hash.update(`${file}\n`).update(await readFile(path.join(root, file)).catch(() => ''));
  }
  return hash.digest('hex');
}

async function compress(built) {
  for (const file of await filesIn(built)) {
    const content = await readFile(file);
    if (content.length <= minCompressed || !/\.(?:css|html|js|json|svg|txt|webmanifest)$/.test(file)) continue;
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    await writeFile(`${file}.br`, await promisify(brotliCompress)(content, { params }));
    await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }));
  }
}

async function filesIn(directory) {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name));
}

// A prompt with a typed client of the sample: `npm start` in one terminal, `npm run repl` in another.
//
//   > await postern.alerts.list.query({ project_id, page_size: 1 })
//
// DATA_DIR names the folder of the running server; default: .postern.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import repl from 'node:repl';
import { createPosternClient } from '../dist/client.js';

const file = path.join(process.env.DATA_DIR ?? '.postern', 'first-run.json');
const text = await readFile(file, 'utf8').catch(() => {
  process.stderr.write(`There is no ${file}: start a server with the sample first (npm start).\n`);
  process.exit(1);
});
const { url, keys, project_id } = JSON.parse(text);
if (keys === undefined) {
  process.stderr.write(`${file} has no keys: the server was started without the sample.\n`);
  process.exit(1);
}
const postern = createPosternClient({ url, credential: keys.read_write });
process.stdout.write(`postern: a client of ${url} with the sample's key. project_id: its project with alerts.\n`);
Object.assign(repl.start({ prompt: '> ' }).context, { postern, project_id });

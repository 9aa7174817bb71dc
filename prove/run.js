// Attacks an instance and reports what held: `npm run prove`. It is bundled first, because Node 20 does not run TypeScript.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const root = path.resolve(import.meta.dirname, '..');
const bundle = await rolldown({
  cwd: root,
  input: {
    main: path.join(import.meta.dirname, 'main.ts'),
    'load-thread': path.join(import.meta.dirname, 'load-thread.ts'),
    'watch-thread': path.join(import.meta.dirname, 'watch-thread.ts'),
  },
  platform: 'node',
  external: /^(?!\.|\/)/,
});
// A folder for each run: two at the same time must not change each other's files.
const dir = path.join(root, 'node_modules/.cache/postern-prove', `run-${process.pid}`);
await bundle.write({ dir, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' });
await bundle.close();
process.chdir(root);
try {
  await import(pathToFileURL(path.join(dir, 'main.mjs')).href);
} finally {
  rmSync(dir, { recursive: true, force: true });
}

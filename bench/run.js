// Runs a benchmark by its name: `npm run bench reach`; without a name it lists them. It is bundled first, because Node 20 does not run TypeScript.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const root = path.resolve(import.meta.dirname, '..');
const known = readdirSync(import.meta.dirname).flatMap((name) =>
  name.endsWith('.ts') ? path.basename(name, '.ts') : [],
);
const [name, ...rest] = process.argv.slice(2);
if (name === undefined) {
  console.log(`Give the name of a benchmark: ${known.join(', ')}`);
  process.exit(0);
}
if (!known.includes(name)) {
  console.error(`There is no benchmark ${name}. There are: ${known.join(', ')}`);
  process.exit(2);
}

const bundle = await rolldown({
  cwd: root,
  input: path.join(import.meta.dirname, `${name}.ts`),
  platform: 'node',
  external: /^(?!\.|\/)/,
});
const dir = path.join(root, 'node_modules/.cache/postern-bench', name);
await bundle.write({ dir, format: 'esm', entryFileNames: '[name].mjs' });
await bundle.close();
process.chdir(root);
process.argv = [process.argv[0] ?? 'node', name, ...rest];
await import(pathToFileURL(path.join(dir, `${name}.mjs`)).href);

// Runs what a change most likely breaks, in about three minutes: the smoke test of a server, the tests that were changed, and those nearest
// to the changed files by imports. `npm run test:quick [-- REVISION]` compares with a revision; by default with the last commit.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { runAll } from './run-all.js';

const root = path.resolve(import.meta.dirname, '..');

/** Two cores run as many files of usual length in the time. */
const maxFiles = 24;

const [revision = 'HEAD'] = process.argv.slice(2);
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
const changed = [...git('diff', '--name-only', revision), ...git('ls-files', '--others', '--exclude-standard')];

const isTest = (file) => /^test\/.*\.test\.ts$/.test(file);
const importers = importersOf(['src', 'test'].flatMap(filesIn));
const near = new Set(['test/smoke.test.ts', ...changed.filter(isTest)]);
const seen = new Set(changed);
for (let ring = changed; ring.length > 0 && near.size < maxFiles; ) {
  ring = ring.flatMap((file) => [...(importers.get(file) ?? [])].filter((each) => !seen.has(each) && seen.add(each)));
  for (const file of ring.filter(isTest)) if (near.size < maxFiles) near.add(file);
}
runAll([`vitest run --project=!postgres ${[...near].join(' ')}`]);

/** The TypeScript files below a folder. */
function filesIn(folder) {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => path.posix.join(folder, name))
    .filter((file) => /\.tsx?$/.test(file) && statSync(path.join(root, file)).isFile());
}

/** For each file, the files that import it. */
function importersOf(files) {
  const found = new Map();
  for (const file of files) {
    for (const [, specifier] of readFileSync(path.join(root, file), 'utf8').matchAll(/\bfrom '(\.[^']+)'/g)) {
      const target = path.posix.join(path.posix.dirname(file), specifier).replace(/\.js$/, '.ts');
      for (const each of [target, `${target}x`]) found.set(each, (found.get(each) ?? new Set()).add(file));
    }
  }
  return found;
}

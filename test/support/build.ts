import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { type RolldownOptions, rolldown } from 'rolldown';
import config from '../../rolldown.config.js';

export const root = path.resolve(import.meta.dirname, '../..');

const workers: ReadonlySet<string> = new Set(['database-worker', 'list-worker', 'upload-worker']);

/**
 * Builds dist/ as `npm run build` does, from the existing entry files. Each file is replaced atomically and only if it
 * changed, so that concurrent test runs do not disturb each other. A program that does not build is an error in CI only,
 * and a message elsewhere: most tests run from source and need only the workers.
 */
export async function build(): Promise<void> {
  for (const options of [config].flat()) {
    const entries = Object.entries(entriesOf(options)).filter(([, file]) => existsSync(path.join(root, file)));
    const programs = buildEntries(
      options,
      entries.filter(([name]) => !workers.has(name)),
    ).catch((error: unknown) => {
      if (process.env['CI']) throw error;
      console.error('dist/ is not up to date: tests of built programs may fail or run old ones.', error);
    });
    const threads = entries.filter(([name]) => workers.has(name));
    await Promise.all([programs, buildEntries(options, threads)]);
  }
  await runScript('build-web.js');
  await runScript('build-docs.js');
}

/** Builds what pages are made of, where it has changed. */
async function runScript(name: string): Promise<void> {
  await promisify(execFile)(process.execPath, [path.join(root, 'scripts', name)]).catch((error: unknown) => {
    if (process.env['CI']) throw error;
    console.error(`${name} has failed: tests of pages may fail or see old ones.`, error);
  });
}

function entriesOf({ input }: RolldownOptions): Record<string, string> {
  if (typeof input !== 'object' || Array.isArray(input)) throw new Error('rolldown.config.ts names no entries.');
  return input;
}

async function buildEntries(
  { output, ...options }: RolldownOptions,
  entries: readonly (readonly [string, string])[],
): Promise<void> {
  const bundle = await rolldown({ ...options, cwd: root, input: Object.fromEntries(entries) });
  try {
    for (const outputOptions of [output ?? []].flat()) {
      const dir = path.resolve(root, outputOptions.dir ?? 'dist');
      const { output: files } = await bundle.generate(outputOptions);
      for (const file of files) {
        await replace(path.join(dir, file.fileName), file.type === 'chunk' ? file.code : file.source);
      }
    }
  } finally {
    await bundle.close();
  }
}

async function replace(file: string, content: string | Uint8Array): Promise<void> {
  const bytes = Buffer.from(content);
  const present = await readFile(file).catch(() => null);
  if (present?.equals(bytes)) return;
  await mkdir(path.dirname(file), { recursive: true });
  const aside = `${file}.${randomUUID()}`;
  await writeFile(aside, bytes);
  await rename(aside, file);
}

/** The built worker of the embedded database. */
export const databaseWorker = pathToFileURL(path.join(root, 'dist/database-worker.js'));

/** Bundles a TypeScript program for plain Node, inside the checkout where its packages are found. Returns its file. */
export async function buildProgram(entry: string): Promise<string> {
  const name = path.basename(entry, '.ts');
  const folder = path.join(root, 'node_modules/.cache/postern-test-programs', name);
  const bundle = await rolldown({ cwd: root, input: entry, platform: 'node', external: /^(?!\.|\/)/ });
  const { output } = await bundle.generate({ format: 'esm', entryFileNames: '[name].mjs', codeSplitting: false });
  await bundle.close();
  for (const file of output) {
    await replace(path.join(folder, file.fileName), file.type === 'chunk' ? file.code : file.source);
  }
  return path.join(folder, `${name}.mjs`);
}

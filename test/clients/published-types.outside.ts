import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { packageArchive } from '../../src/gateway/download/package-archive.js';
import { root } from '../support/build.js';
import { startPostern } from '../support/postern.js';

// The package as a server hands it out, installed by npm where nothing else of this project is.

const run = promisify(execFile);
const published = path.join(import.meta.dirname, 'published');
const compilers = ['typescript-5.9', 'typescript-6', 'typescript'];
const resolutions = [
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
] as const;

let folder: string;
/** Nothing but the package, with the newest of each library that npm takes by itself. */
let empty: string;
/** With React, Vite and Next, and the version of tRPC that TanStack's adapter asks for. */
let apps: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'postern-frontends-'));
  const archive = path.join(folder, 'postern.tgz');
  await writeFile(archive, (await packageArchive(root)).bytes);
  [empty, apps] = [path.join(folder, 'empty'), path.join(folder, 'apps')];
  await cp(path.join(published, 'plain'), empty, { recursive: true });
  await writeFile(path.join(empty, 'package.json'), '{"type":"module"}');
  await cp(published, apps, { recursive: true, filter: (name) => !/node_modules|equal-types|tsconfig/.test(name) });
  const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', archive];
  await run('npm', install, { cwd: empty });
  await run('npm', install, { cwd: apps });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Program {
  readonly cwd: string;
  readonly files: readonly string[];
  readonly compiler: string;
  readonly resolution: (typeof resolutions)[number];
}

/** What a compiler says of a program and of all declarations that it needs. */
async function errorsOf({ cwd, files, compiler, resolution: [module, moduleResolution] }: Program): Promise<string[]> {
  const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
  const compilerOptions = {
    ...{ ...strict, skipLibCheck: false, noEmit: true, types: [], jsx: 'react-jsx' },
    ...{ target: 'es2023', lib: ['esnext', 'dom', 'dom.iterable'], module, moduleResolution },
  };
  const project = path.join(cwd, 'tsconfig.matrix.json');
  await writeFile(project, JSON.stringify({ compilerOptions, files }));
  const tsc = path.join(apps, 'node_modules', compiler, 'bin/tsc');
  return run(process.execPath, [tsc, '--project', project, '--pretty', 'false'], { cwd }).then(
    () => [],
    ({ stdout }: { stdout: string }) => stdout.trim().split('\n'),
  );
}

const matrix = compilers.flatMap((compiler) => resolutions.map((resolution) => ({ compiler, resolution })));

test.each(matrix)('a frontend without any library type-checks ($compiler, $resolution.1)', async (way) => {
  expect(await errorsOf({ cwd: empty, files: ['frontend.ts'], ...way })).toEqual([]);
});

test.each(matrix)('one of React, Vite and TanStack Query too ($compiler, $resolution.1)', async (way) => {
  const cwd = path.join(apps, 'react');
  const ofLibraries = await errorsOf({ cwd, files: ['libraries.ts'], ...way });
  const errors = await errorsOf({ cwd, files: ['app.tsx'], ...way });
  expect(errors.filter((error) => !ofLibraries.includes(error))).toEqual([]);
  expect(ofLibraries.filter((error) => /posternhq/.test(error))).toEqual([]);
});

test.each(compilers)('and one of Next (%s)', async (compiler) => {
  const cwd = path.join(apps, 'next');
  const way = { cwd, compiler, resolution: resolutions[1] };
  const files = ['app/layout.tsx', 'app/alerts/page.tsx', 'app/summary/route.ts'];
  const ofLibraries = await errorsOf({ ...way, files: ['libraries.ts'] });
  const errors = await errorsOf({ ...way, files });
  expect(errors.filter((error) => !ofLibraries.includes(error))).toEqual([]);
});

test('there is one copy of tRPC’s client, and its errors are known', async () => {
  for (const cwd of [empty, apps]) {
    const files = await readdir(path.join(cwd, 'node_modules'), { recursive: true });
    const copies = files.filter((name) => /(?:^|\/)@trpc\/(?:client|server)\/package\.json$/.test(name));
    expect(copies.sort()).toEqual(['@trpc/client/package.json', '@trpc/server/package.json']);
  }
  const postern = await startPostern();
  try {
    const { stdout } = await run(process.execPath, ['react/failure.js', postern.url], { cwd: apps });
    expect(JSON.parse(stdout)).toEqual([
      [true, true, 'unauthenticated'],
      [true, true, 'unauthenticated'],
    ]);
  } finally {
    await postern.close();
  }
});

test('Vite takes the client alone into a page', async () => {
  await run(process.execPath, ['node_modules/vite/bin/vite.js', 'build', 'react'], { cwd: apps });
  const assets = path.join(apps, 'react/dist/assets');
  const [script = ''] = (await readdir(assets)).filter((name) => name.endsWith('.js'));
  const text = await readFile(path.join(assets, script), 'utf8');
  expect(text).toContain('/trpc');
  expect(text).not.toMatch(/ZodError|invalid_type|EffectivePriority/);
});

test('Next builds its pages with it', async () => {
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', CI: '1' };
  const next = path.join(apps, 'node_modules/next/dist/bin/next');
  const { stdout } = await run(process.execPath, [next, 'build'], { cwd: path.join(apps, 'next'), env });
  expect(stdout).toContain('/alerts');
});

const hover = z.array(z.object({ shown: z.string(), words: z.string(), definedIn: z.string() }));

describe('an editor', () => {
  test('shows the words of a procedure and of a field, and leads to them', async () => {
    const compiler = path.join(apps, 'node_modules/typescript-5.9');
    const words = ['client.alerts.list', 'page.items', 'first?.versions'];
    const { stdout } = await run(process.execPath, ['hover.js', compiler, ...words], { cwd: empty });
    const [procedure, items, field] = hover.parse(JSON.parse(stdout));
    expect(procedure?.words).toContain('List alerts. Alerts on vulnerable packages');
    expect(items?.shown).toContain('AlertsListOutput');
    expect(field?.words).toBe('Installed versions that are affected');
    expect([procedure, items, field].map((each) => each?.definedIn)).toEqual(Array(3).fill('client.d.ts'));
  });
});

import { expect, test } from 'vitest';
import { readFrom } from './reading.js';

const classic = '# yarn lockfile v1\n\na@^1.0.0:\n  version "1.0.0"\n';
const berry = (format: number) =>
  `__metadata:\n  version: ${format}\n  cacheKey: 8\n\n"a@npm:^1.0.0":\n  version: 1.0.0\n  resolution: "a@npm:1.0.0"\n`;
const bun = (format: number) =>
  `{ "lockfileVersion": ${format}, "workspaces": { "": { "name": "app" } }, "packages": {} }`;

test.each<[file: string, tool: string, packageManager: string | undefined, lockfile: string]>([
  ['yarn.lock', 'yarn@1', undefined, classic],
  ['yarn.lock', 'yarn@1.22.22', 'yarn@1.22.22+sha512.abc', classic],
  // The next install writes the newer format.
  ['yarn.lock', 'yarn@4.5.0', 'yarn@4.5.0', classic],
  ['yarn.lock', 'yarn@1', 'pnpm@10.0.0', classic],
  ['yarn.lock', 'yarn@2', undefined, berry(4)],
  ['yarn.lock', 'yarn@3', undefined, berry(6)],
  ['yarn.lock', 'yarn@4', undefined, berry(8)],
  ['yarn.lock', 'yarn@4', undefined, berry(10)],
  ['yarn.lock', 'yarn@4.18.1', 'yarn@4.18.1', berry(8)],
  ['bun.lock', 'bun@1.2', undefined, bun(1)],
  ['bun.lock', 'bun@1.4', undefined, bun(2)],
  ['bun.lock', 'bun@1.4.5', 'bun@1.4.5', bun(1)],
  ['pnpm-lock.yaml', 'pnpm', undefined, "lockfileVersion: '9.0'\n"],
  ['pnpm-lock.yaml', 'pnpm@11.21.0', 'pnpm@11.21.0', "lockfileVersion: '9.0'\n"],
])('%s is of %s where packageManager is %s', async (file, tool, packageManager, lockfile) => {
  const read = await readFrom({ [file]: lockfile, 'package.json': { ...(packageManager && { packageManager }) } });
  expect(read.tool).toBe(tool);
});

test.each<[words: string, manifest: unknown, tool: string]>([
  ['overrides for pnpm', { pnpm: { overrides: { a: '1.0.0' } } }, 'pnpm package.json'],
  ['resolutions', { packageManager: 'pnpm@10.30.3', resolutions: { a: '1.0.0' } }, 'pnpm@10.30.3 package.json'],
  ['empty overrides', { pnpm: { overrides: {} } }, 'pnpm'],
  ['overrides of npm', { overrides: { a: '1.0.0' } }, 'pnpm'],
  ['no JSON', '{', 'pnpm'],
])('pnpm-lock.yaml beside a package.json with %s', async (_words, manifest, tool) => {
  const read = await readFrom({ 'pnpm-lock.yaml': "lockfileVersion: '9.0'\n", 'package.json': manifest });
  expect(read.tool).toBe(tool);
});

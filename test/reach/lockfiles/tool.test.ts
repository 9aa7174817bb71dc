import { expect, test } from 'vitest';
import { readFrom } from './reading.js';

const classic = '# yarn lockfile v1\n\na@^1.0.0:\n  version "1.0.0"\n';
const berry = (format: number) =>
  `__metadata:\n  version: ${format}\n  cacheKey: 8\n\n"a@npm:^1.0.0":\n  version: 1.0.0\n  resolution: "a@npm:1.0.0"\n`;
const bun = (format: number) =>
  `{ "lockfileVersion": ${format}, "workspaces": { "": { "name": "app" } }, "packages": {} }`;

test.each<[file: string, lockfile: unknown, packageManager: string | undefined, tool: string]>([
  ['yarn.lock', classic, undefined, 'yarn@1'],
  ['yarn.lock', classic, 'yarn@1.22.22+sha512.abc', 'yarn@1.22.22'],
  // The next install writes the newer format.
  ['yarn.lock', classic, 'yarn@4.5.0', 'yarn@4.5.0'],
  ['yarn.lock', classic, 'pnpm@10.0.0', 'yarn@1'],
  ['yarn.lock', berry(4), undefined, 'yarn@2'],
  ['yarn.lock', berry(6), undefined, 'yarn@3'],
  ['yarn.lock', berry(8), undefined, 'yarn@4'],
  ['yarn.lock', berry(10), undefined, 'yarn@4'],
  ['yarn.lock', berry(8), 'yarn@4.18.1', 'yarn@4.18.1'],
  ['bun.lock', bun(1), undefined, 'bun@1.2'],
  ['bun.lock', bun(2), undefined, 'bun@1.4'],
  ['bun.lock', bun(1), 'bun@1.4.5', 'bun@1.4.5'],
  ['pnpm-lock.yaml', "lockfileVersion: '9.0'\n", undefined, 'pnpm'],
  ['pnpm-lock.yaml', "lockfileVersion: '9.0'\n", 'pnpm@11.21.0', 'pnpm@11.21.0'],
])('%s, number %#, by packageManager %s, is of %s', async (file, lockfile, packageManager, tool) => {
  const read = await readFrom({ [file]: lockfile, 'package.json': { ...(packageManager && { packageManager }) } });
  expect(read.tool).toBe(tool);
});

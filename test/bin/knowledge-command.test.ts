import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';

import { folderWith } from '../reach/folder.js';
import { bundleWith, newer, publisher, setWith, shippedDate, stranger } from '../reach/knowledge/sets.js';
import { root } from '../support/build.js';
import { portOf } from '../support/upstream.js';

/** Runs a built program in a folder, with nothing of this process's environment. */
function run(program: 'postern' | 'reach', folder: string, args: readonly string[], env: Record<string, string> = {}) {
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    const options = { cwd: folder, env: { XDG_DATA_HOME: join(folder, 'data'), ...env } };
    execFile(process.execPath, [join(root, `dist/${program}.js`), ...args], options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
    );
  });
}

/** Serves a bundle on this machine. */
async function serve(text: string): Promise<string> {
  const server = createServer((_, answer) => answer.end(text)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${portOf(server.address())}/knowledge.json`;
}

const pem = publisher.publicKey.export({ type: 'spki', format: 'pem' }).toString();
const jwk = JSON.stringify(publisher.publicKey.export({ format: 'jwk' }));
const privatePem = publisher.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** An application of a framework that the shipped set does not know. */
const app = {
  'package.json': JSON.stringify({ main: 'index.js', dependencies: { acme: '1', lodash: '4' } }),
  'package-lock.json': JSON.stringify({
    lockfileVersion: 3,
    packages: { 'node_modules/acme': { version: '1.0.0' }, 'node_modules/lodash': { version: '4.17.11' } },
  }),
  'index.js': '',
  'acme/start.js': "require('lodash').merge({}, {});\n",
};

const report = z.object({ dependencies: z.array(z.object({ purl: z.string(), usage: z.string() })) });

/** What reach says of lodash there. */
async function usageOfLodash(folder: string, args: readonly string[], env: Record<string, string> = {}) {
  const file = join(folder, 'usage.json');
  const ran = await run('reach', folder, ['analyze', '--output', file, ...args], env);
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  return report.parse(JSON.parse(readFileSync(file, 'utf8'))).dependencies.find(({ purl }) => purl.includes('lodash'))
    ?.usage;
}

test('a newer set raises what reach says of a package, where it is asked to read it', async () => {
  const folder = folderWith(app);
  const url = await serve(bundleWith(newer, publisher.privateKey));
  const updated = await run('postern', folder, ['knowledge', 'update', url], { KNOWLEDGE_KEY: jwk });
  const kept = join(folder, 'data/postern/knowledge');
  expect(updated).toEqual({
    code: 0,
    stdout: `Knowledge of 2030-01-01. Its publisher has signed it.
javascript/frameworks/acme.json: new file, rows: 1 added, 0 removed
reach reads it with --knowledge ${kept}, or with REACH_KNOWLEDGE=${kept}
`,
    stderr: '',
  });
  expect(await usageOfLodash(folder, [])).toBe('imported');
  expect(await usageOfLodash(folder, ['--knowledge', kept])).toBe('reached');
  expect(await usageOfLodash(folder, [], { REACH_KNOWLEDGE: kept })).toBe('reached');
});

test('reach reads a folder of single files too, all of it or none', async () => {
  const folder = folderWith(app);
  const single = folderWith(Object.fromEntries(setWith(newer)));
  expect(await usageOfLodash(folder, ['--knowledge', single])).toBe('reached');
  writeFileSync(join(single, 'python/servers.json'), '{"name": 1}');
  const wrong = await run('reach', folder, ['analyze', '--knowledge', single]);
  expect(wrong).toMatchObject({ code: 2, stdout: '' });
  expect(wrong.stderr).toMatch(/^reach: python\/servers\.json: name: .*expected string/);
  const none = await run('reach', folder, ['analyze'], { REACH_KNOWLEDGE: folder });
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining(`${folder}: has no knowledge`) });
});

test('a set that is not right is refused, and nothing is written', async () => {
  const folder = folderWith({ 'set.json': bundleWith(newer, stranger.privateKey), 'key.pem': pem });
  const update = (...args: readonly string[]) => run('postern', folder, ['knowledge', 'update', ...args]);
  const refusals: Array<readonly [readonly string[], string]> = [
    [['set.json', '--key', 'key.pem'], 'set.json: the configured key has not signed it'],
    [['http://postern.example/set.json'], 'postern.example: feeds are read by https only'],
    [[await serve('x'.repeat(17 * 1024 ** 2))], 'is larger than the 16777216 bytes allowed'],
  ];
  for (const [args, message] of refusals) {
    const refused = await update(...args, '--dir', 'kept');
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(message) });
    expect(refused.stderr).toMatch(/^postern: .*\n$/);
    expect(existsSync(join(folder, 'kept'))).toBe(false);
  }
  expect(await update()).toMatchObject({ code: 2 });
});

test('a bundle of the shipped set is signed, loaded and not taken back for an older one', async () => {
  const folder = folderWith({ 'private.pem': privatePem, 'newer.json': bundleWith(newer) });
  const knowledge = (...args: readonly string[]) =>
    run('postern', folder, ['knowledge', ...args], { KNOWLEDGE_KEY: pem });
  const made = await knowledge('bundle', '--key', 'private.pem', '--out', 'set.json');
  expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining(`of ${shippedDate()}. It is signed.`) });
  expect(await knowledge('update', 'set.json', '--dir', 'kept')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Nothing differs from the present set.'),
  });
  expect(await run('postern', folder, ['knowledge', 'update', 'newer.json', '--dir', 'kept'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Its signature was not checked: no key is configured.'),
  });
  const older = await knowledge('update', 'set.json', '--dir', 'kept');
  expect(older).toMatchObject({ code: 1, stderr: expect.stringContaining('older than the present set of 2030-01-01') });
  expect(readFileSync(join(folder, 'kept/knowledge.json'), 'utf8')).toBe(bundleWith(newer));
  expect(await knowledge('update', 'set.json', '--dir', 'kept', '--force')).toMatchObject({ code: 0 });
  expect(readdirSync(join(folder, 'kept'))).toEqual(['knowledge.json']);
  expect(await knowledge('bundle', '--out', 'none/set.json')).toMatchObject({ code: 1 });
});

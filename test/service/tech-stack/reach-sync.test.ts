import { afterAll, beforeAll, expect, test } from 'vitest';
import { folderWith } from '../../reach/folder.js';
import { runReach } from '../../reach/run-reach.js';
import { startService, type TestService } from '../../support/service.js';
import { newStack } from './stack.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const lock = (range: string) =>
  JSON.stringify({
    lockfileVersion: 3,
    packages: {
      '': { dependencies: { express: range, old: 'npm:qs@^6.5.0' }, workspaces: ['packages/*'] },
      'packages/api': { dependencies: { express: '^4.17.0' }, devDependencies: { qs: '6.13.0' } },
      'node_modules/api': { resolved: 'packages/api', link: true },
      'node_modules/express': { version: '4.21.1', dependencies: { qs: '6.13.0', cookie: '0.7.1' } },
      'node_modules/cookie': { version: '0.7.1' },
      'node_modules/qs': { version: '6.13.0' },
      'node_modules/old': { name: 'qs', version: '6.5.3' },
      'node_modules/plugin': { version: '1.0.0', peerDependencies: { express: '>=4' }, dev: true },
    },
  });

test('reach sync sends the ranges and overrides of an npm project, and the service keeps them', async () => {
  const { key, projectId, rows } = await newStack(service);
  const sync = async (range: string, overrides: Record<string, string> = { cookie: '0.7.1' }) => {
    const folder = folderWith({ 'package-lock.json': lock(range), 'package.json': JSON.stringify({ overrides }) });
    const args = ['sync', folder, '--project', projectId, '--source', 'shop', '--json'];
    const { exitCode, stdout } = await runReach(args, { SERVICE_API_URL: service.url, SERVICE_API_KEY: key });
    expect(exitCode).toBe(0);
    const { lockfiles } = JSON.parse(stdout);
    return lockfiles[0].result;
  };
  expect(await sync('^4.18.0')).toMatchObject({ added: 5, updated: 0 });
  const kept = (await rows()).map(({ name, version, ranges, asked_by }) => ({ name, version, ranges, asked_by }));
  expect(kept).toEqual([
    {
      ...{ name: 'cookie', version: '0.7.1', ranges: null },
      asked_by: [{ file: 'package.json', range: '0.7.1', override: 'overrides: "cookie"' }],
    },
    {
      name: 'express',
      version: '4.21.1',
      ranges: { 'npm qs 6.13.0': '6.13.0', 'npm cookie 0.7.1': '0.7.1' },
      asked_by: [
        { file: 'package.json', range: '^4.18.0' },
        { file: 'packages/api/package.json', range: '^4.17.0' },
      ],
    },
    { name: 'plugin', version: '1.0.0', ranges: { 'npm express 4.21.1': '>=4' }, asked_by: null },
    { name: 'qs', version: '6.13.0', ranges: null, asked_by: [{ file: 'packages/api/package.json', range: '6.13.0' }] },
    { name: 'qs', version: '6.5.3', ranges: null, asked_by: [{ file: 'package.json', range: 'npm:qs@^6.5.0' }] },
  ]);
  expect(await sync('^4.18.0')).toMatchObject({ added: 0, updated: 0, unchanged: 5 });
  expect(await sync('~4.21.0')).toMatchObject({ added: 0, updated: 1, unchanged: 4 });
  expect(await sync('~4.21.0', {})).toMatchObject({ added: 0, updated: 1, unchanged: 4 });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { folderWith } from '../reach/folder.js';
import { root } from '../support/build.js';
import { dataFile, hasData } from '../support/data.js';
import { startService, type TestService } from '../support/service.js';

/** Runs the built command as a shell would. */
async function reach(args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(root, 'dist/reach.js'), ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const out = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    out.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    out.stderr += chunk;
  });
  const [exitCode] = await once(child, 'close');
  return { exitCode, ...out };
}

describe('the built command', () => {
  test('prints the version of the package', async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(await reach(['--version'])).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: '' });
  });

  test('exits with 2 for wrong usage and 1 for a failure', async () => {
    expect(await reach(['sync'])).toMatchObject({ exitCode: 2, stdout: '' });
    const folder = folderWith({ 'package-lock.json': '' });
    expect(await reach(['sync', folder, '--project', 'p', '--dry-run'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('package-lock.json: line 1, column 1: is not JSON: expected a value'),
    });
  });
});

describe('reach analyze, built', () => {
  const files = {
    'package.json': '{"main": "index.js"}',
    'index.js': "import { merge } from 'lodash';\nmerge({}, {});\n",
    'package-lock.json': JSON.stringify({
      lockfileVersion: 3,
      packages: { 'node_modules/lodash': { version: '4.17.11' }, 'node_modules/helmet': { version: '2.3.0' } },
    }),
  };

  test('reads source with its own parser, and shows no progress where there is no terminal', async () => {
    const folder = folderWith(files);
    const output = join(folder, 'usage.json');
    expect(await reach(['analyze', folder, '--output', output])).toMatchObject({ exitCode: 0, stderr: '' });
    const { dependencies } = JSON.parse(readFileSync(output, 'utf8'));
    expect(dependencies.map(({ purl, usage }: { purl: string; usage: string }) => [purl, usage])).toEqual([
      ['pkg:npm/helmet@2.3.0', 'unused'],
      ['pkg:npm/lodash@4.17.11', 'reached'],
    ]);
  });

  test('runs nothing of the project', async () => {
    const harm = "require('node:fs').writeFileSync(__dirname + '/harm', '');\n";
    const configs = [
      'vite.config.js',
      'webpack.config.js',
      'next.config.js',
      'eslint.config.js',
      '.eslintrc.js',
      'Gruntfile.js',
    ];
    const folder = folderWith({ ...files, ...Object.fromEntries(configs.map((name) => [name, harm])) });
    expect(await reach(['analyze', folder])).toMatchObject({ exitCode: 0 });
    expect(existsSync(join(folder, 'harm'))).toBe(false);
  });
});

describe('reach sync with the service itself', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.close());

  async function project(): Promise<{ id: string; readKey: string; writeKey: string }> {
    const { readKey, writeKey } = await service.newOrganisation();
    const { status, body } = await service.call(writeKey, 'POST', '/api/projects', { name: 'web' });
    expect(status).toBe(200);
    return { id: Object(body).id, readKey, writeKey };
  }

  const sync = async (folder: string, id: string, key: string) => {
    const ran = await reach(['sync', folder, '--project', id, '--json'], {
      SERVICE_API_URL: service.url,
      SERVICE_API_KEY: key,
    });
    return { ...ran, report: JSON.parse(ran.stdout) };
  };

  test.skipIf(!hasData)('a real lock file is synced whole, and a second time changes nothing', async () => {
    const { id, writeKey } = await project();
    const lock = readFileSync(dataFile('lockfiles/nodegoat/package-lock.json'), 'utf8');
    const entries: [string, { name?: string; version: string }][] = Object.entries(JSON.parse(lock).packages);
    const distinct = new Set(
      entries.slice(1).map(([path, { name, version }]) => `${name ?? path.split('node_modules/').at(-1)} ${version}`),
    );

    const folder = folderWith({ 'package-lock.json': lock });
    const first = await sync(folder, id, writeKey);
    expect(first).toMatchObject({ exitCode: 0, stderr: '' });
    expect(first.report.lockfiles[0]).toMatchObject({
      packages: { listed: 1479, distinct: distinct.size },
      result: {
        source: `${basename(folder)}:package-lock.json`,
        added: distinct.size,
        updated: 0,
        removed: 0,
        unchanged: 0,
      },
    });
    const second = await sync(folder, id, writeKey);
    expect(second.report.lockfiles[0].result).toMatchObject({
      added: 0,
      updated: 0,
      removed: 0,
      unchanged: distinct.size,
    });
    const { body } = await service.call(writeKey, 'GET', `/api/projects/${id}/tech-stack`);
    expect(body).toMatchObject({ total: distinct.size });
  });

  test('every kind of package that the readers take is one that the service takes', async () => {
    const { id, writeKey } = await project();
    const versions = [
      '1.2.3',
      'v1.2',
      '2.0.0-RC1',
      '1.0.0-beta.2',
      'dev-main',
      '2.x-dev',
      '1.2.x-dev',
      '20240131',
      '2024.01.31',
      '1.0-p1',
      '1.0.0+build',
    ];
    const packages = versions.map((version, i) => ({ name: `acme/p${i}`, version }));
    const npm = ['1.2.3', '1.2.3-beta.1', '1.2.3+build.5', '0.0.0-0', '99999999999999999999.0.0'].map((version, i) => [
      `node_modules/p${i}`,
      { version },
    ]);
    const folder = folderWith({
      'composer.lock': JSON.stringify({ packages }),
      'package-lock.json': JSON.stringify({ lockfileVersion: 3, packages: Object.fromEntries(npm) }),
    });
    const { stderr, report } = await sync(folder, id, writeKey);
    expect(stderr).toBe('');
    expect(report.lockfiles.map((lockfile: { result: { added: number } }) => lockfile.result.added)).toEqual([
      versions.length,
      npm.length,
    ]);
  });

  test('a read key, a wrong key and another organisation’s project are refused with advice', async () => {
    const { id, readKey, writeKey } = await project();
    const folder = folderWith({ 'composer.lock': '{"packages": []}' });
    const read = await sync(folder, id, readKey);
    expect([read.exitCode, read.report.error]).toEqual([
      1,
      expect.objectContaining({ status: 403, advice: expect.stringContaining('may not write') }),
    ]);
    const wrong = await sync(folder, id, `${writeKey.slice(0, -1)}x`);
    expect(wrong.report.error).toMatchObject({ status: 401, advice: expect.stringContaining('Set SERVICE_API_KEY') });
    const other = await project();
    const foreign = await sync(folder, id, other.writeKey);
    expect(foreign.report.error).toMatchObject({ status: 404, advice: expect.stringContaining('Check --project') });
  });
});

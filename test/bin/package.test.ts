import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import manifest from '../../package.json' with { type: 'json' };
import { packageArchive } from '../../src/gateway/download/package-archive.js';
import { root } from '../support/build.js';
import { eventually } from '../support/eventually.js';
import { startUpstream } from '../support/upstream.js';
import { emptyFolder } from './running-postern.js';

const run = promisify(execFile);

/** What a clone has that `npm start` needs, with the packages of this one. The build writes into the copy alone. */
async function clone(): Promise<string> {
  const folder = await emptyFolder();
  const needed = ['src', 'scripts', 'dist/web', 'README.md', 'LICENSE', 'CHANGELOG.md', '.env.example', 'package.json'];
  const settings = ['package-lock.json', 'rolldown.config.ts', 'tsconfig.json', 'vite.config.ts'];
  for (const name of [...needed, ...settings])
    await cp(path.join(root, name), path.join(folder, name), { recursive: true });
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  return folder;
}

/** Runs `npm start`, does some work with its address, and stops it. */
async function whileStarted(folder: string, serviceUrl: string, work: (url: string) => Promise<void>): Promise<void> {
  const child = spawn('npm', ['start'], {
    cwd: folder,
    env: { ...process.env, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'warn', SERVICE_API_URL: serviceUrl },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const gone = once(child, 'close');
  // npm and the shell it starts are a group of their own.
  const stop = (signal: NodeJS.Signals) => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, signal);
  };
  onTestFinished(() => stop('SIGKILL'));
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const url = await eventually(() => {
    const [, address] = /^Postern is ready at (\S+)/m.exec(output) ?? [];
    if (address === undefined) throw new Error(output);
    return address;
  });
  await work(url);
  stop('SIGTERM');
  await gone;
}

/** npm with a folder of its own for what npx installs, and the usual store of archives. */
async function npmSettings(): Promise<NodeJS.ProcessEnv> {
  const cache = await emptyFolder();
  const { stdout } = await run('npm', ['config', 'get', 'cache']);
  const store = path.join(stdout.trim(), '_cacache');
  await mkdir(store, { recursive: true });
  await symlink(store, path.join(cache, '_cacache'));
  const { SERVICE_API_KEY: _key, ...inherited } = process.env;
  const quiet = { npm_config_audit: 'false', npm_config_fund: 'false', npm_config_ignore_scripts: 'true' };
  return { ...inherited, ...quiet, npm_config_cache: cache, npm_config_prefer_offline: 'true' };
}

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const initialized = z.object({ result: z.object({ serverInfo: z.object({ name: z.string() }) }) });

test('after two starts a server hands out its package; npx and npm install it elsewhere and all programs run', async () => {
  const upstream = await startUpstream();
  onTestFinished(() => upstream.close());
  const folder = await clone();
  await whileStarted(folder, upstream.url, async () => {});
  await whileStarted(folder, upstream.url, async (url) => {
    for (const file of Object.values(manifest.bin)) {
      expect([file, (await stat(path.join(folder, file))).mode & 0o111]).toEqual([file, 0o111]);
      // As a shell runs it: by its path, without `node`.
      expect((await run(path.join(folder, file), ['--version'])).stdout).toBe(`${manifest.version}\n`);
    }

    const archive = `${url}/download/postern.tgz`;
    const env = await npmSettings();
    const elsewhere = { cwd: await emptyFolder(), env };
    const npx = (...words: string[]) => run('npx', ['--yes', '--package', archive, ...words], elsewhere);
    for (const name of Object.keys(manifest.bin)) {
      expect((await npx(name, '--version')).stdout).toBe(`${manifest.version}\n`);
    }

    const project = { cwd: await emptyFolder(), env };
    await writeFile(path.join(project.cwd, 'package.json'), '{ "type": "module" }');
    await run('npm', ['install', archive], project);
    const installed = path.join(project.cwd, 'node_modules', manifest.name);
    await stat(path.join(installed, 'dist/client.d.ts'));
    const entry =
      "import { createPosternClient } from '@posternhq/postern/client'; console.log(typeof createPosternClient);";
    const client = await run(process.execPath, ['--input-type=module', '--eval', entry], project);
    expect(client.stdout).toBe('function\n');
    const router = run(path.join(project.cwd, 'node_modules/.bin/mcp-router'), [], {
      ...project,
      env: { ...env, SERVICE_API_URL: url, SERVICE_API_KEY: `postern_live_${'a'.repeat(64)}` },
    });
    router.child.stdin?.end(`${JSON.stringify(initialize)}\n`);
    const { stdout } = await router;
    expect(initialized.parse(JSON.parse(stdout)).result.serverInfo.name).toBe('postern');

    // What was installed hands out the same bytes: no copy of a copy differs.
    const handedOut = Buffer.from(await (await fetch(archive)).arrayBuffer());
    expect((await packageArchive(installed)).bytes.equals(handedOut)).toBe(true);
  });
});

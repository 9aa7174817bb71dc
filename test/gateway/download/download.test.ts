import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { unpackTar } from 'modern-tar';
import { describe, expect, onTestFinished, test } from 'vitest';
import { packageArchive } from '../../../src/gateway/download/package-archive.js';
import { storedGzip } from '../../../src/gateway/download/stored-gzip.js';
import { startGateway } from '../../support/gateway.js';
import { startUpstream } from '../../support/upstream.js';

const manifest = {
  name: '@example/built',
  files: ['dist', '!dist/**/.*', '.env.example', 'not-there.md'],
  bin: { tool: 'dist/tool.js' },
};

/** A folder with a built package, what is beside one in a clone, and a link out of it. Gone after the test. */
async function packageFolder(contents: Record<string, string> = {}): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'postern-package-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(path.join(folder, 'dist/web'), { recursive: true });
  const files = {
    'package.json': JSON.stringify(manifest),
    'README.md': 'read me',
    LICENSE: 'MIT',
    '.env.example': 'PORT=3000',
    '.env': 'JWT_SECRET=SECRET-DETAIL',
    'first-run.json': 'SECRET-DETAIL',
    'dist/tool.js': '#!/usr/bin/env node\n',
    'dist/tool.js.map': 'SECRET-DETAIL',
    'dist/web/index.html': '<!doctype html>',
    'dist/web/.sources': 'SECRET-DETAIL',
    ...contents,
  };
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(folder, name), content);
  await symlink(path.join(folder, '.env'), path.join(folder, 'dist/env.js'));
  return folder;
}

async function startServer(folder: string) {
  const upstream = await startUpstream();
  onTestFinished(() => upstream.close());
  const gateway = await startGateway({ serviceUrl: upstream.url, packageFolder: folder });
  onTestFinished(() => gateway.close());
  return gateway;
}

describe('the package that a server hands out', () => {
  test('has what the manifest names, and nothing that lies beside or behind a link', async () => {
    const { url } = await startServer(await packageFolder());
    const response = await fetch(`${url}/download/postern.tgz`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/gzip']);
    const tar = gunzipSync(await response.arrayBuffer());
    expect(tar.includes('SECRET-DETAIL')).toBe(false);
    const entries = await unpackTar(tar, { strict: true });
    expect(entries.map(({ header }) => [header.name, header.mode?.toString(8)])).toEqual([
      ['package/.env.example', '644'],
      ['package/LICENSE', '644'],
      ['package/README.md', '644'],
      ['package/dist/tool.js', '755'],
      ['package/dist/web/index.html', '644'],
      ['package/package.json', '644'],
    ]);
  });

  test('comes with its digests, which a cache asks for again', async () => {
    const { url } = await startServer(await packageFolder());
    const response = await fetch(`${url}/download/postern.tgz`);
    const bytes = Buffer.from(await response.arrayBuffer());
    const digest = (name: string) => createHash(name).update(bytes).digest();
    expect(response.headers.get('repr-digest')).toBe(
      `sha-256=:${digest('sha256').toString('base64')}:, sha-512=:${digest('sha512').toString('base64')}:`,
    );
    const sum = await fetch(`${url}/download/postern.tgz.sha256`);
    expect(await sum.text()).toBe(`${digest('sha256').toString('hex')}  postern.tgz\n`);
    expect(response.headers.get('cache-control')).toBe('no-cache');
    const again = await fetch(`${url}/download/postern.tgz`, {
      headers: { 'if-none-match': response.headers.get('etag') ?? '', 'cache-control': 'max-age=0' },
    });
    expect(again.status).toBe(304);
  });

  test('has the same bytes from the same files, wherever they lie and whenever they were written', async () => {
    const [one, other] = await Promise.all([
      packageArchive(await packageFolder()),
      packageArchive(await packageFolder()),
    ]);
    expect(one.bytes.equals(other.bytes)).toBe(true);
    const changed = await packageArchive(await packageFolder({ 'README.md': 'read this' }));
    expect(changed.bytes.equals(one.bytes)).toBe(false);
  });

  test('has one address: no path leads to other files, and no method but reading is served', async () => {
    const { url } = await startServer(await packageFolder());
    for (const name of ['.env', '%2e%2e/.env', '..%2f.env', 'postern.tgz/..%2f.env', 'package.json', '']) {
      const response = await fetch(`${url}/download/${name}`);
      expect([name, response.status]).toEqual([name, 404]);
      expect(await response.text()).not.toContain('SECRET-DETAIL');
    }
    expect((await fetch(`${url}/download/postern.tgz`, { method: 'POST' })).status).toBe(404);
    const head = await fetch(`${url}/download/postern.tgz`, { method: 'HEAD' });
    expect([head.status, Number(head.headers.get('content-length')) > 1_000]).toEqual([200, true]);
  });

  test('is missing where the server has none, and the server serves the rest', async () => {
    const gateway = await startServer(path.join(tmpdir(), 'postern-no-such-package'));
    const response = await fetch(`${gateway.url}/download/postern.tgz`);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('no-such-package');
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
  });
});

test.each([0, 1, 0xffff, 0x10000, 0x2ffff])('%i bytes in the form of gzip are read back by a gzip reader', (length) => {
  const bytes = Buffer.alloc(length, 'postern');
  expect(gunzipSync(storedGzip(bytes)).equals(bytes)).toBe(true);
});

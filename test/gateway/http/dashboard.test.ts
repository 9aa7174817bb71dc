import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StartedGateway, startGateway } from '../../support/gateway.js';
import { type FakeUpstream, startUpstream } from '../../support/upstream.js';

const page = '<!doctype html><title>Postern</title><script type="module" src="/assets/app-1a2b.js"></script>';
const script = `console.log(${JSON.stringify('x'.repeat(2_000))});`;

let folder: string;
let upstream: FakeUpstream;
let gateway: StartedGateway;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'postern-dashboard-'));
  await mkdir(path.join(folder, 'assets'));
  const files = {
    'index.html': page,
    '.sources': 'SECRET-DETAIL',
    'icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'assets/app-1a2b.js': script,
    'assets/app-1a2b.js.br': brotliCompressSync(script),
    'assets/app-1a2b.js.gz': gzipSync(script),
    'assets/app-3c4d.css': 'body { margin: 0 }',
  };
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(folder, name), content);
  upstream = await startUpstream();
  gateway = await startGateway({ serviceUrl: upstream.url, dashboard: folder });
  // All of it was read at the start: a build beside a running server changes nothing there.
  await rm(folder, { recursive: true });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** A request as it is written: `fetch` would decompress, and tidy the path. */
function get(at: string, headers: Record<string, string> = {}, method = 'GET', { url } = gateway): Promise<Got> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { path: at, method, headers, agent: false }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers, body: Buffer.concat(chunks) }));
    });
    sent.on('error', reject).end();
  });
}

describe('the page', () => {
  test.each([
    '/',
    '/projects',
    '/projects/p-1/alerts?band=RED',
    '/index.html',
    '/apis',
    '/trpcx',
    '/assetsx',
    '/..%2f..%2fetc',
  ])('answers a navigation to %s', async (at) => {
    const { status, headers, body } = await get(at, browser);
    expect([status, headers['content-type'], String(body)]).toEqual([200, 'text/html; charset=utf-8', page]);
  });

  test('allows nothing inline and nobody else, and is asked for each time', async () => {
    const { headers } = await get('/', browser);
    const policy = String(headers['content-security-policy']);
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining([
        ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "base-uri 'none'"],
        ...["form-action 'self'", "frame-ancestors 'none'"],
      ]),
    );
    expect(policy).not.toMatch(/unsafe|https?:|\*|blob:/);
    expect(headers).toMatchObject({
      'cache-control': 'no-cache',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=()'),
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      vary: 'accept',
    });
  });

  test('is not sent again to who has it; the answer keeps the policy of the one that is there', async () => {
    const first = await get('/', browser);
    const again = await get('/alerts', { ...browser, 'if-none-match': String(first.headers['etag']) });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    for (const name of ['content-security-policy', 'cache-control', 'etag'])
      expect(again.headers[name]).toBe(first.headers[name]);
    expect((await get('/', { ...browser, 'if-none-match': '"another"' })).status).toBe(200);
  });

  test('has a HEAD', async () => {
    const { status, headers, body } = await get('/projects', browser, 'HEAD');
    expect([status, headers['content-length'], body.length]).toEqual([200, String(page.length), 0]);
  });

  test.each([
    ['GET', '/', '*/*'],
    ['GET', '/projects', 'application/json'],
    ['GET', '/projects', undefined],
    ['POST', '/', browser.accept],
    ['DELETE', '/projects', browser.accept],
  ])('does not answer %s %s with Accept %j', async (method, at, accept) => {
    const { status, headers } = await get(at, accept === undefined ? {} : { accept }, method);
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      ...[404, 'application/json; charset=utf-8', 'no-store'],
    ]);
  });

  test.each([
    ...['/api', '/api/projects', '/API/x', '/trpc', '/trpc/alerts.list', '/mcp/x', '/metrics', '/assets'],
    ...['/openapi.json', '/docs', '/docs/x', '/download/postern.tgz', '/healthz/x', '/readyz/x', '/assets/gone-1.js'],
  ])('is not what a browser gets at %s', async (at) => {
    const { status, headers } = await get(at, browser);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(headers['cache-control']).toBe('no-store');
  });

  test('comes after the checks and the probes', async () => {
    expect((await get('/', { ...browser, host: 'evil.example' })).status).toBe(403);
    expect(String((await get('/healthz', browser)).body)).toBe('{"status":"alive"}');
    const stopping = await startGateway({ serviceUrl: upstream.url });
    stopping.drain();
    expect((await get('/', browser, 'GET', stopping)).headers['connection']).toBe('close');
    await stopping.close();
  });
});

describe('a file', () => {
  const at = '/assets/app-1a2b.js';

  test.each([
    ['gzip, deflate, br, zstd', 'br', brotliCompressSync(script)],
    ['gzip', 'gzip', gzipSync(script)],
    ['gzip, br;q=0', 'gzip', gzipSync(script)],
    ['*', 'br', brotliCompressSync(script)],
    ['identity', undefined, Buffer.from(script)],
    [undefined, undefined, Buffer.from(script)],
  ])('to who takes %j comes in its smallest form: %j', async (accepted, encoding, bytes) => {
    const { status, headers, body } = await get(at, accepted === undefined ? {} : { 'accept-encoding': accepted });
    expect([status, headers['content-encoding'], body.equals(bytes)]).toEqual([200, encoding, true]);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'content-length': String(bytes.length),
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
      'x-content-type-options': 'nosniff',
    });
  });

  test('has a tag for each form', async () => {
    const forms = ['br', 'gzip', 'identity'].map((encoding) => get(at, { 'accept-encoding': encoding }));
    const tags = (await Promise.all(forms)).map(({ headers }) => headers['etag']);
    expect(new Set(tags).size).toBe(3);
    const again = await get(at, { 'accept-encoding': 'br', 'if-none-match': String(tags[0]) });
    expect([again.status, again.headers['cache-control']]).toEqual([304, 'public, max-age=31536000, immutable']);
    expect((await get(at, { 'accept-encoding': 'gzip', 'if-none-match': String(tags[0]) })).status).toBe(200);
  });

  test('without a hash in its name is asked for each time', async () => {
    const { headers } = await get('/icon.svg', { ...browser, 'accept-encoding': 'br' });
    expect(headers).toMatchObject({ 'content-type': 'image/svg+xml', 'cache-control': 'no-cache' });
    expect((await get('/assets/app-3c4d.css')).headers['content-type']).toBe('text/css; charset=utf-8');
  });

  test.each([
    '/.sources',
    '/assets/../.sources',
    '/assets/app-1a2b.js.br',
    '/assets/..%2f.sources',
    '/assets/',
    '/%00',
  ])('%s is none', async (hidden) => {
    const { status, body } = await get(hidden);
    expect([status, String(body).includes('SECRET')]).toEqual([404, false]);
  });
});

test.each([undefined, path.join(tmpdir(), 'postern-no-such-folder')])(
  'without a built page (%j) / is not found',
  async (none) => {
    const bare = await startGateway({ serviceUrl: upstream.url, dashboard: none });
    const { status, headers } = await get('/', browser, 'GET', bare);
    expect([status, headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
    await bare.close();
  },
);

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type DownloadLimits, download, feedUrl } from '../../../src/service/feeds/download.js';
import { testFolder } from './feed-files.js';
import { type Origin, startOrigin } from './origin.js';

const limits: DownloadLimits = { maxBytes: 1000, idleMs: 5000 };

async function fetchFrom(answer: RequestListener, validator: string | null = null, path?: string) {
  const origin = await startOrigin(answer);
  const target = path ?? join(await testFolder(), 'feed');
  const result = download(`${origin.url}/all.zip`, { path: target, validator, limits });
  return { origin, path: target, result };
}

const megabyte = 1024 * 1024;
const large: DownloadLimits = { maxBytes: 100 * megabyte, idleMs: 5000 };
const content = Buffer.from(Array.from({ length: 8 * megabyte }, (_, index) => index % 251));

/** Answers like a server of static files that breaks off each answer after `piece` bytes. */
function breakingOff(piece: number, etag: () => string): RequestListener {
  return (req, res) => {
    const from = Number(/^bytes=(\d+)-$/.exec(req.headers.range ?? '')?.[1] ?? 0);
    const resumes = from > 0 && req.headers['if-range'] === etag();
    const begin = resumes ? from : 0;
    res.writeHead(resumes ? 206 : 200, {
      etag: etag(),
      'content-length': content.length - begin,
      ...(resumes && { 'content-range': `bytes ${begin}-${content.length - 1}/${content.length}` }),
    });
    res.write(content.subarray(begin, begin + piece), () =>
      begin + piece >= content.length ? res.end() : res.destroy(),
    );
  };
}

const rangesOf = ({ requests }: Origin) =>
  requests.map(({ range }) => Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0));

test('fetches the content and what its origin calls it', async () => {
  const { path, result } = await fetchFrom((_, res) => res.setHeader('etag', '"v1"').end('content'));
  expect(await result).toEqual({ kind: 'new', validator: '"v1"' });
  expect(await readFile(path, 'utf8')).toBe('content');
});

test.each([
  ['"v1"', 'if-none-match'],
  ['W/"v1"', 'if-none-match'],
  ['Wed, 20 Aug 2025 07:28:00 GMT', 'if-modified-since'],
])('asks for other content than %s only', async (validator, header) => {
  const { origin, path, result } = await fetchFrom((_, res) => res.writeHead(304).end(), validator);
  expect(await result).toEqual({ kind: 'unchanged' });
  expect(origin.requests[0]?.[header]).toBe(validator);
  expect(existsSync(path)).toBe(false);
});

describe('an answer that breaks off', () => {
  test('is taken further where it stopped', async () => {
    const origin = await startOrigin(breakingOff(5 * megabyte, () => '"v1"'));
    const path = join(await testFolder(), 'feed');
    expect(await download(origin.url, { path, validator: null, limits: large })).toEqual({
      kind: 'new',
      validator: '"v1"',
    });
    expect(content.equals(await readFile(path))).toBe(true);
    const ranges = rangesOf(origin);
    expect(ranges).toHaveLength(2);
    expect(ranges[1]).toBeGreaterThan(0);
  });

  test('three times is an error, and the next call takes it further', async () => {
    const origin = await startOrigin(breakingOff(2 * megabyte, () => '"v1"'));
    const options = { path: join(await testFolder(), 'feed'), validator: null, limits: large };
    await expect(download(`${origin.url}/all.zip`, options)).rejects.toThrow(
      '/all.zip: the download broke off 3 times',
    );
    expect(await download(`${origin.url}/all.zip`, options)).toEqual({ kind: 'new', validator: '"v1"' });
    expect(content.equals(await readFile(options.path))).toBe(true);
    const ranges = rangesOf(origin);
    expect(ranges).toEqual(ranges.toSorted((a, b) => a - b));
    expect(ranges[3]).toBeGreaterThan(0);
  });

  test('is begun anew where the origin has other content by then', async () => {
    let version = 0;
    const etag = () => `"v${version}"`;
    const origin = await startOrigin((req, res) => {
      version += 1;
      breakingOff(version === 1 ? 5 * megabyte : content.length, etag)(req, res);
    });
    const path = join(await testFolder(), 'feed');
    expect(await download(origin.url, { path, validator: null, limits: large })).toEqual({
      kind: 'new',
      validator: '"v2"',
    });
    expect(content.equals(await readFile(path))).toBe(true);
  });
});

describe('refuses', () => {
  test('an origin that fails, after three attempts', async () => {
    const { origin, result } = await fetchFrom((_, res) => res.writeHead(503).end());
    await expect(result).rejects.toThrow('broke off 3 times (HTTP 503)');
    expect(origin.requests).toHaveLength(3);
  });

  test('an origin that has no such thing, at once', async () => {
    const { origin, result } = await fetchFrom((_, res) => res.writeHead(404).end());
    await expect(result).rejects.toThrow('answered HTTP 404');
    expect(origin.requests).toHaveLength(1);
  });

  test.each([true, false])('content above the limit (its length announced: %s)', async (announced) => {
    const { path, result } = await fetchFrom((_, res) => {
      if (!announced) res.flushHeaders();
      res.end('x'.repeat(1001));
    });
    await expect(result).rejects.toThrow('is larger than the 1000 bytes allowed');
    expect(existsSync(path)).toBe(false);
  });

  test('an origin that falls silent', async () => {
    const origin = await startOrigin((_, res) => res.write('x'));
    const path = join(await testFolder(), 'feed');
    const slow = download(origin.url, { path, validator: null, limits: { maxBytes: 1000, idleMs: 50 } });
    await expect(slow).rejects.toThrow('broke off 3 times (UND_ERR_BODY_TIMEOUT)');
  });

  test('redirects without end, and to what is not safe', async () => {
    const endless = await fetchFrom((_, res) => res.writeHead(302, { location: '/again' }).end());
    await expect(endless.result).rejects.toThrow('redirects more than 3 times');
    const unsafe = await fetchFrom((_, res) => res.writeHead(302, { location: 'http://example.com/all.zip' }).end());
    await expect(unsafe.result).rejects.toThrow('example.com: feeds are read by https only');
  });

  test.each([
    'http://example.com/a',
    'ftp://example.com/a',
    'file:///etc/passwd',
    'https://u:p@example.com/a',
    'nonsense',
  ])('the address %s', (address) => {
    expect(() => feedUrl(address)).toThrow(/feed/);
  });
});

test('a redirect to where it lies today is followed', async () => {
  const { result } = await fetchFrom((req, res) =>
    req.url === '/all.zip' ? res.writeHead(302, { location: '/2025-08-15.zip' }).end() : res.end('content'),
  );
  expect(await result).toEqual({ kind: 'new', validator: null });
});

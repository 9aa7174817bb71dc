import { createWriteStream } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Agent, type Dispatcher, request } from 'undici';
import * as z from 'zod';
import { FeedError } from './feed.js';
import { feedUrl, shownUrl } from './feed-url.js';

export interface DownloadOptions {
  /** Where the content goes; what is there of an attempt broken off before is taken further. */
  readonly path: string;
  /** What the origin called the content we have; it answers only if it has other. */
  readonly validator: string | null;
  readonly limits: DownloadLimits;
  readonly signal?: AbortSignal;
}

export interface DownloadLimits {
  readonly maxBytes: number;
  /** Milliseconds without a byte. */
  readonly idleMs: number;
}

export type Download = { readonly kind: 'unchanged' } | { readonly kind: 'new'; readonly validator: string | null };

/** All of OSV's npm, malware included, is 200 MB packed. */
export const downloadLimits: DownloadLimits = { maxBytes: 4 * 1024 ** 3, idleMs: 60_000 };

const maxRedirects = 3;
/** Each goes on where the one before stopped. */
const maxAttempts = 3;

const partSchema = z.object({ url: z.string(), validator: z.string() });

/**
 * Fetches a feed to a file, unless the origin says that it has nothing new. A download that breaks off is taken up again
 * where the origin can do that (Range and If-Range, RFC 9110 13.1.5), now or by the next call. Throws `FeedError`.
 */
export async function download(address: string, options: DownloadOptions): Promise<Download> {
  const url = feedUrl(address);
  const { idleMs } = options.limits;
  const agent = new Agent({ connectTimeout: idleMs, headersTimeout: idleMs, bodyTimeout: idleMs });
  try {
    for (let attempt = 1; ; attempt += 1) {
      const result = await attemptDownload(url, options, agent);
      if (result.kind !== 'broken_off') return result;
      options.signal?.throwIfAborted();
      if (attempt === maxAttempts) {
        throw new FeedError(`${shownUrl(url)}: the download broke off ${maxAttempts} times (${result.why})`);
      }
    }
  } finally {
    await agent.close();
  }
}

type Attempt = Download | { readonly kind: 'broken_off'; readonly why: string };

async function attemptDownload(url: URL, options: DownloadOptions, agent: Agent): Promise<Attempt> {
  const { path, validator, limits } = options;
  const part = await readPart(url, path);
  const conditions: Record<string, string> =
    part === null ? conditionsOf(validator) : { range: `bytes=${part.bytes}-`, 'if-range': part.validator };
  let answer: Dispatcher.ResponseData;
  try {
    answer = await requestFollowing(url, conditions, agent, options.signal);
  } catch (error) {
    if (error instanceof FeedError) throw error;
    return { kind: 'broken_off', why: codeOf(error) };
  }
  const { statusCode, headers, body } = answer;
  if (statusCode === 304 && part === null && validator !== null) {
    await body.dump();
    return { kind: 'unchanged' };
  }
  const resumes =
    statusCode === 206 && part !== null && headerOf(headers, 'content-range')?.startsWith(`bytes ${part.bytes}-`);
  if (statusCode !== 200 && !resumes) {
    await body.dump();
    // What we hold of it does not fit the origin's content any more: begin anew.
    if (part !== null && (statusCode === 416 || statusCode === 206)) {
      await discard(path);
      return { kind: 'broken_off', why: `HTTP ${statusCode}` };
    }
    if (statusCode >= 500) return { kind: 'broken_off', why: `HTTP ${statusCode}` };
    throw new FeedError(`${shownUrl(url)}: answered HTTP ${statusCode}`);
  }
  const begin = resumes && part !== null ? part.bytes : 0;
  const found = validatorOf(headers);
  if (begin === 0) await notePart(url, path, found);
  try {
    const file = createWriteStream(path, { flags: begin === 0 ? 'w' : 'a', mode: 0o600 });
    await pipeline(body, refuseBeyond(limits.maxBytes - begin, url), file);
  } catch (error) {
    if (error instanceof FeedError) {
      await discard(path);
      throw error;
    }
    return { kind: 'broken_off', why: codeOf(error) };
  }
  await rm(partNote(path), { force: true });
  return { kind: 'new', validator: found };
}

/** Follows redirects, each of which must be as safe as the first address. */
async function requestFollowing(
  first: URL,
  conditions: Record<string, string>,
  dispatcher: Agent,
  signal: AbortSignal | undefined,
): Promise<Dispatcher.ResponseData> {
  let url = first;
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    const answer = await request(url, {
      dispatcher,
      headers: { 'user-agent': 'postern', 'accept-encoding': 'identity', ...conditions },
      ...(signal && { signal }),
    });
    const location = headerOf(answer.headers, 'location');
    if (![301, 302, 303, 307, 308].includes(answer.statusCode) || location === undefined) return answer;
    await answer.body.dump();
    if (!URL.canParse(location, url.href)) throw new FeedError(`${shownUrl(url)}: redirects to what is no address`);
    url = feedUrl(new URL(location, url.href).href);
  }
  throw new FeedError(`${shownUrl(first)}: redirects more than ${maxRedirects} times`);
}

function refuseBeyond(maxBytes: number, url: URL): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      bytes += chunk.length;
      if (bytes > maxBytes) done(new FeedError(`${shownUrl(url)}: is larger than the ${maxBytes} bytes allowed`));
      else done(null, chunk);
    },
  });
}

/** An ETag stands in quotes, a Last-Modified date does not. */
function conditionsOf(validator: string | null): Record<string, string> {
  if (validator === null) return {};
  return validator.endsWith('"') ? { 'if-none-match': validator } : { 'if-modified-since': validator };
}

function validatorOf(headers: Dispatcher.ResponseData['headers']): string | null {
  const found = headerOf(headers, 'etag') ?? headerOf(headers, 'last-modified') ?? null;
  return found === null || found.length > 200 ? null : found;
}

function headerOf(headers: Dispatcher.ResponseData['headers'], name: string): string | undefined {
  return [headers[name]].flat()[0];
}

function partNote(path: string): string {
  return `${path}.part.json`;
}

/** Only what the origin names strongly can be taken further: a weak name says "much the same". */
async function notePart(url: URL, path: string, validator: string | null): Promise<void> {
  const isStrong = validator !== null && !validator.startsWith('W/');
  if (isStrong) await writeFile(partNote(path), JSON.stringify({ url: url.href, validator }), { mode: 0o600 });
  else await rm(partNote(path), { force: true });
}

async function readPart(
  url: URL,
  path: string,
): Promise<{ readonly bytes: number; readonly validator: string } | null> {
  try {
    const note = partSchema.parse(JSON.parse(await readFile(partNote(path), 'utf8')));
    const { size } = await stat(path);
    return note.url === url.href && size > 0 ? { bytes: size, validator: note.validator } : null;
  } catch {
    return null;
  }
}

/** Removes a download with all that belongs to it. */
export async function discard(path: string): Promise<void> {
  await rm(path, { force: true });
  await rm(partNote(path), { force: true });
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

import { createWriteStream } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { Agent, type Dispatcher, request } from 'undici';
import * as z from 'zod';
import { codeOfError } from '../../shared/errors/code-of-error.js';
import { FeedError } from './feed.js';
import { limitBytes } from './file-bytes.js';

export interface DownloadOptions {
  /** The file to write. A part left there by an interrupted attempt is continued. */
  readonly path: string;
  /** The origin's name for the content that is stored. It sends a body only where its content differs. */
  readonly validator: string | null;
  readonly limits: DownloadLimits;
  readonly signal?: AbortSignal;
}

export interface DownloadLimits {
  readonly maxBytes: number;
  /** Milliseconds without a byte after which an attempt ends. */
  readonly idleMs: number;
}

export type Download = { readonly kind: 'unchanged' } | { readonly kind: 'new'; readonly validator: string | null };

/** All of OSV's npm, malware included, is 200 MB packed. */
export const downloadLimits: DownloadLimits = { maxBytes: 4 * 1024 ** 3, idleMs: 60_000 };

const maxRedirects = 3;
/** Each attempt continues where the one before stopped. */
const maxAttempts = 3;

const partSchema = z.object({ url: z.string(), validator: z.string() });

/**
 * Fetches a feed to a file, unless the origin has nothing new. An interrupted download is continued, by this call or the
 * next one, where the origin supports that (Range and If-Range, RFC 9110 13.1.5). Throws `FeedError`.
 */
export async function download(address: string, options: DownloadOptions): Promise<Download> {
  const url = feedUrl(address);
  const { idleMs } = options.limits;
  const agent = new Agent({ connectTimeout: idleMs, headersTimeout: idleMs, bodyTimeout: idleMs });
  try {
    for (let attempt = 1; ; attempt += 1) {
      const result = await attemptDownload(url, options, agent);
      if (result.kind !== 'interrupted') return result;
      options.signal?.throwIfAborted();
      if (attempt === maxAttempts) {
        throw new FeedError(`${shownUrl(url)}: the download broke off ${maxAttempts} times (${result.why})`);
      }
    }
  } finally {
    await agent.close();
  }
}

type Attempt = Download | { readonly kind: 'interrupted'; readonly why: string };

async function attemptDownload(url: URL, options: DownloadOptions, agent: Agent): Promise<Attempt> {
  const { path, validator, limits } = options;
  const part = await readPartNote(url, path);
  const conditions: Record<string, string> =
    part === null ? conditionsOf(validator) : { range: `bytes=${part.bytes}-`, 'if-range': part.validator };
  let answer: Dispatcher.ResponseData;
  try {
    answer = await requestFollowingRedirects(url, conditions, agent, options.signal);
  } catch (error) {
    if (error instanceof FeedError) throw error;
    return { kind: 'interrupted', why: reasonOf(error) };
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
    // The part on disk does not fit the origin's content any more: start again.
    if (part !== null && (statusCode === 416 || statusCode === 206)) {
      await discard(path);
      return { kind: 'interrupted', why: `HTTP ${statusCode}` };
    }
    if (statusCode >= 500) return { kind: 'interrupted', why: `HTTP ${statusCode}` };
    throw new FeedError(`${shownUrl(url)}: answered HTTP ${statusCode}`);
  }
  const start = resumes && part !== null ? part.bytes : 0;
  const found = validatorOf(headers);
  if (start === 0) await writePartNote(url, path, found);
  const tooLarge = () => new FeedError(`${shownUrl(url)}: is larger than the ${limits.maxBytes} bytes allowed`);
  try {
    const file = createWriteStream(path, { flags: start === 0 ? 'w' : 'a', mode: 0o600 });
    await pipeline(body, limitBytes(limits.maxBytes - start, tooLarge), file);
  } catch (error) {
    if (error instanceof FeedError) {
      await discard(path);
      throw error;
    }
    return { kind: 'interrupted', why: reasonOf(error) };
  }
  await rm(partNotePath(path), { force: true });
  return { kind: 'new', validator: found };
}

/** Follows redirects. Each address must be as safe as the first one. */
async function requestFollowingRedirects(
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

/** A validator in quotes is an ETag; otherwise it is a Last-Modified date. */
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

function partNotePath(path: string): string {
  return `${path}.part.json`;
}

/** Only content with a strong validator can be continued: a weak one (`W/`) also covers slightly different bytes. */
async function writePartNote(url: URL, path: string, validator: string | null): Promise<void> {
  const isStrong = validator !== null && !validator.startsWith('W/');
  if (isStrong) await writeFile(partNotePath(path), JSON.stringify({ url: url.href, validator }), { mode: 0o600 });
  else await rm(partNotePath(path), { force: true });
}

async function readPartNote(url: URL, path: string): Promise<{ bytes: number; validator: string } | null> {
  try {
    const note = partSchema.parse(JSON.parse(await readFile(partNotePath(path), 'utf8')));
    const { size } = await stat(path);
    return note.url === url.href && size > 0 ? { bytes: size, validator: note.validator } : null;
  } catch {
    return null;
  }
}

export async function discard(path: string): Promise<void> {
  await rm(path, { force: true });
  await rm(partNotePath(path), { force: true });
}

function reasonOf(error: unknown): string {
  return codeOfError(error) ?? (error instanceof Error ? error.name : 'unknown reason');
}

/** A feed's address: https, or plain http on this machine. Credentials in a URL are rejected: they would reach logs. */
export function feedUrl(text: string): URL {
  if (!URL.canParse(text)) throw new FeedError('the feed address is not a URL');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '')
    throw new FeedError(`${url.host}: a feed address must hold no password`);
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) return url;
  throw new FeedError(`${url.host}: feeds are read by https only`);
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** The address without its query, which may hold a key. */
function shownUrl({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { Procedure } from '../../procedures/define.js';
import { yieldToEventLoop } from '../../shared/async/yield-to-event-loop.js';
import { findJsonFault } from '../../shared/json/json-fault.js';
import { isGzip, readText, TextFault } from '../../shared/text/read-text.js';
import { ApiError } from './api-error.js';
import { exceedsDepth } from './json-depth.js';
import { Semaphore } from './semaphore.js';
import { hasUnstorableEscape, isStorableText, replaceUnstorableEscapes, unstorableText } from './storable-text.js';

/** Bytes of the largest body where the procedure sets no limit. All limits count bytes after decompression. */
const defaultMaxBytes = 1024 * 1024;

/** The parts of a procedure that say how its body is read. */
type BodyFormat = Pick<Procedure, 'body' | 'maxBytes' | 'mediaTypes'>;

/** Levels of objects and lists in an upload. Real reports have about 24; recursive code survives more than this. */
const maxUploadDepth = 128;

export interface ReceivedBody {
  /** The JSON value, or the text of another media type; undefined where the request has no body. */
  readonly value: unknown;
  /** Of its bytes. */
  readonly sha256: Buffer;
}

/** Express's body readers, by limit in bytes. */
const readers = new Map<number, RequestHandler>();

function readerOf(limit: number): RequestHandler {
  const reader = readers.get(limit) ?? express.raw({ type: () => true, limit });
  readers.set(limit, reader);
  return reader;
}

/**
 * Reads a JSON body, or text where the procedure accepts another media type. An upload may be UTF-8, UTF-16 or what its XML
 * declares, and gzip also without a header that says so. Rejects other media types (415), too many bytes (413; for an upload
 * 422 with the name of its field), invalid JSON (400) and an upload that nests too deep (422).
 */
export async function readBody(req: Request, res: Response, format: BodyFormat = {}): Promise<ReceivedBody> {
  // Two functions, so that the bytes can leave memory before the value is parsed.
  const { text, sha256 } = await receiveText(req, res, format);
  return { value: text === undefined ? undefined : await valueIn(text, format), sha256 };
}

/** The text of a body; undefined where there is none. */
async function receiveText(req: Request, res: Response, format: BodyFormat) {
  const received = await receive(req, res, format);
  req.body = undefined;
  const sha256 = createHash('sha256').update(received).digest();
  return { text: received.length === 0 ? undefined : await textOf(received, req, format), sha256 };
}

/** The bytes of a body. They stay in `req.body` until the body is read. */
async function receive(req: Request, res: Response, { body, maxBytes = defaultMaxBytes, mediaTypes = [] }: BodyFormat) {
  const known: unknown = req.body;
  if (Buffer.isBuffer(known)) return known;
  const types = ['application/json', 'application/*+json', ...mediaTypes, ...(body === undefined ? [] : gzipTypes)];
  const hasBody = req.is('*/*') !== null && req.get('content-length') !== '0';
  if (hasBody && req.is(types) === false) throw unsupportedMediaType(mediaTypes);
  await new Promise<void>((resolve, reject) => {
    readerOf(maxBytes)(req, res, (error?: unknown) => {
      if (error === undefined) resolve();
      else reject(body !== undefined && isTooLarge(error) ? tooLarge(body, maxBytes, mediaTypes) : error);
    });
  });
  const bytes: unknown = req.body;
  return Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0);
}

/** An upload may be a compressed file as it is. */
const gzipTypes = ['application/gzip', 'application/x-gzip'];

async function textOf(
  received: Buffer,
  req: Request,
  { body, maxBytes = defaultMaxBytes, mediaTypes = [] }: BodyFormat,
) {
  const yieldNow = yieldToEventLoop();
  await yieldNow();
  if (body === undefined) {
    if (!isUtf8(received)) throw new ApiError('malformed_request', { detail: 'the body is not UTF-8' });
    return new TextDecoder().decode(received);
  }
  const charset = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(req.get('content-type') ?? '')?.[1];
  try {
    return await readText(received, { maxBytes, charset });
  } catch (error) {
    if (!(error instanceof TextFault)) throw error;
    if (error.tooLarge) throw tooLarge(body, maxBytes, mediaTypes);
    throw new ApiError('malformed_request', { detail: `the body ${error.message}` });
  }
}

/** The JSON value of a text; the text itself where it is XML and the procedure takes it. */
async function valueIn(text: string, { body, mediaTypes = [] }: BodyFormat): Promise<unknown> {
  if (body === undefined) return parseJson(text, needsCheck(text) ? rejectUnstorable : undefined);
  if (mediaTypes.length > 0 && text.trimStart().startsWith('<')) return text;
  if (exceedsDepth(text, maxUploadDepth)) {
    const message = `must not nest deeper than ${maxUploadDepth} levels`;
    throw new ApiError('invalid_input', { errors: [{ field: body, message }] });
  }
  // What nobody reads may have any character. What is kept of an upload must be storable.
  return parseJson(await replaceUnstorableEscapes(text));
}

/** A larger body needs a slot. So does a body that is compressed or has no Content-Length, since it may be large. */
const maxBytesWithoutSlot = 4 * 1024 * 1024;

/** A body of 64 MB takes about 500 MB of memory while it is parsed. */
const largeBodies = new Semaphore({ maxConcurrent: 2, maxWaiting: 16, maxWaitMs: 60_000 });

/** Runs the work of a request, after waiting for a slot if its body may be large. The body waits at its sender. */
export async function withBodySlot<T>(
  req: Request,
  res: Response,
  format: BodyFormat,
  work: () => Promise<T>,
): Promise<T> {
  const { maxBytes = defaultMaxBytes } = format;
  const length = req.get('content-encoding') === undefined ? Number(req.get('content-length')) : Number.NaN;
  if (maxBytes <= maxBytesWithoutSlot) return work();
  // A compressed file shows only in its first bytes.
  if (length <= maxBytesWithoutSlot && !isGzip(await receive(req, res, format))) return work();
  const disconnected = new AbortController();
  res.once('close', () => disconnected.abort());
  return largeBodies.run(disconnected.signal, work);
}

/** The error of body-parser. */
function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'type' in error && error.type === 'entity.too.large';
}

function tooLarge(field: string, maxBytes: number, mediaTypes: readonly string[]): ApiError {
  const message = `must be at most ${maxBytes / 1024 / 1024} MB of ${formOf(mediaTypes)}`;
  return new ApiError('invalid_input', { errors: [{ field, message }] });
}

function unsupportedMediaType(mediaTypes: readonly string[]): ApiError {
  const types = ['application/json', ...mediaTypes].join(' or ');
  const detail = `the body must be ${formOf(mediaTypes)}: Content-Type: ${types}`;
  return new ApiError('unsupported_media_type', { detail });
}

function formOf(mediaTypes: readonly string[]): string {
  return mediaTypes.length === 0 ? 'JSON' : 'JSON or text';
}

/** An escaped NUL or surrogate, or the key `__proto__`, which an assignment would take for the prototype. */
const suspicious = /\\u(?:0000|d[89a-f]|005f)|__proto__/i;

/** Whether each value must be checked, which takes seconds. Escaped surrogates alone are common: Python escapes emoji. */
function needsCheck(text: string): boolean {
  return suspicious.test(text) && (/__proto__|\\u005f/i.test(text) || hasUnstorableEscape(text));
}

function parseJson(text: string, reviver?: typeof rejectUnstorable): unknown {
  try {
    return JSON.parse(text, reviver);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    if (error instanceof RangeError)
      throw new ApiError('malformed_request', { detail: 'the body is nested too deeply' });
    const { line, column, expected } = findJsonFault(text);
    const detail = `the body is not JSON: expected ${expected} at line ${line}, column ${column}`;
    throw new ApiError('malformed_request', { detail });
  }
}

function rejectUnstorable(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new ApiError('invalid_input', { errors: [{ field: key, message: 'is not known' }] });
  if (!isStorableText(key) || (typeof value === 'string' && !isStorableText(value)))
    throw unstorableText(isStorableText(key) ? key : '');
  return value;
}

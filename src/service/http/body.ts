import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { Procedure } from '../../procedures/define.js';
import { yieldToEventLoop } from '../../shared/async/yield-to-event-loop.js';
import { findJsonFault } from '../../shared/json/json-fault.js';
import { ApiError } from './api-error.js';
import { exceedsDepth } from './json-depth.js';
import { Semaphore } from './semaphore.js';
import { hasUnstorableEscape, isStorableText, unstorableText } from './storable-text.js';

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
 * Reads a JSON body, or text where the procedure accepts another media type. Rejects other media types (415), too many
 * bytes (413; for an upload 422 with the name of its field), invalid JSON (400) and an upload that nests too deep
 * (422).
 */
export async function readBody(
  req: Request,
  res: Response,
  { body, maxBytes = defaultMaxBytes, mediaTypes = [] }: BodyFormat = {},
): Promise<ReceivedBody> {
  const hasBody = req.is('*/*') !== null && req.get('content-length') !== '0';
  const isText = hasBody && mediaTypes.length > 0 && req.is([...mediaTypes]) !== false;
  if (hasBody && !isText && req.is(['application/json', 'application/*+json']) === false)
    throw unsupportedMediaType(mediaTypes);
  await new Promise<void>((resolve, reject) => {
    readerOf(maxBytes)(req, res, (error?: unknown) => {
      if (error === undefined) resolve();
      else reject(body !== undefined && isTooLarge(error) ? tooLarge(body, maxBytes, mediaTypes) : error);
    });
  });
  // Two functions, so that the bytes can leave memory before the value is parsed.
  const { text, sha256 } = await textOf(req, isText ? undefined : body);
  const value = text === undefined || isText ? text : parseJson(text);
  if (isText && text !== undefined && !isStorableText(text)) throw unstorableText('');
  return { value, sha256 };
}

/** The received bytes as text; undefined where there are none. `upload` names the field that the whole body is. */
async function textOf(req: Request, upload: string | undefined) {
  const bytes: unknown = req.body;
  req.body = undefined;
  const received = Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0);
  const yieldNow = yieldToEventLoop();
  const sha256 = createHash('sha256').update(received).digest();
  if (received.length === 0) return { text: undefined, sha256 };
  await yieldNow();
  if (upload !== undefined && exceedsDepth(received, maxUploadDepth)) {
    const message = `must not nest deeper than ${maxUploadDepth} levels`;
    throw new ApiError('invalid_input', { errors: [{ field: upload, message }] });
  }
  await yieldNow();
  if (!isUtf8(received)) throw new ApiError('malformed_request', { detail: 'the body is not UTF-8' });
  const text = new TextDecoder().decode(received);
  await yieldNow();
  return { text, sha256 };
}

/** A larger body needs a slot. So does a body that is compressed or has no Content-Length, since it may be large. */
const maxBytesWithoutSlot = 4 * 1024 * 1024;

/** A body of 64 MB takes about 500 MB of memory while it is parsed. */
const largeBodies = new Semaphore({ maxConcurrent: 2, maxWaiting: 16, maxWaitMs: 60_000 });

/** Runs the work of a request, after waiting for a slot if its body may be large. The body waits at its sender. */
export async function withBodySlot<T>(
  req: Request,
  res: Response,
  { maxBytes = defaultMaxBytes }: BodyFormat,
  work: () => Promise<T>,
): Promise<T> {
  const length = req.get('content-encoding') === undefined ? Number(req.get('content-length')) : Number.NaN;
  if (maxBytes <= maxBytesWithoutSlot || length <= maxBytesWithoutSlot) return work();
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

function parseJson(text: string): unknown {
  try {
    return needsCheck(text) ? JSON.parse(text, rejectUnstorable) : JSON.parse(text);
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

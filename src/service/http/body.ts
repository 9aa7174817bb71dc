import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { Procedure } from '../../procedures/define.js';
import { yieldToEventLoop } from '../../shared/async/yield-to-event-loop.js';
import { findJsonFault } from '../../shared/json/json-fault.js';
import { ApiError } from './api-error.js';
import { LargeBodies } from './large-bodies.js';
import { isNestedDeeper } from './nesting.js';
import { hasUnstorableEscape, isStorable, notStorable } from './storable.js';

/** Bytes of a request whose procedure says nothing else; counted after decompression, like all of them. */
const ordinaryBytes = 1024 * 1024;

/** What of a procedure says how its body is read. */
type Limited = Pick<Procedure, 'body' | 'maxBytes' | 'mediaTypes'>;

/** Objects and lists in one another, in an upload: real reports have two dozen, what walks them by recursion stands more. */
const deepestUpload = 128;

/**
 * A request's body: the JSON value (undefined where there is none), or the text of another media type; and the SHA-256 of
 * its bytes.
 */
export interface ReceivedBody {
  readonly value: unknown;
  readonly sha256: Buffer;
}

/** Express's reader by its limit. */
const readers = new Map<number, RequestHandler>();

function readerOf(limit: number): RequestHandler {
  const reader = readers.get(limit) ?? express.raw({ type: () => true, limit });
  readers.set(limit, reader);
  return reader;
}

/**
 * Reads a JSON body, or text where the procedure takes another media type. Refuses others (415), too many bytes (413; 422
 * naming the input that the whole body is), what is no JSON (400) and an upload that nests too deep (422).
 */
export async function readBody(
  req: Request,
  res: Response,
  { body, maxBytes = ordinaryBytes, mediaTypes = [] }: Limited = {},
): Promise<ReceivedBody> {
  const hasBody = req.is('*/*') !== null && req.get('content-length') !== '0';
  const isText = hasBody && mediaTypes.length > 0 && req.is([...mediaTypes]) !== false;
  if (hasBody && !isText && req.is(['application/json', 'application/*+json']) === false) throw notTaken(mediaTypes);
  await new Promise<void>((resolve, reject) => {
    readerOf(maxBytes)(req, res, (error?: unknown) => {
      if (error === undefined) resolve();
      else reject(body !== undefined && isTooLarge(error) ? tooLarge(body, maxBytes, mediaTypes) : error);
    });
  });
  // Steps of their own, so that the bytes are gone from memory when their value is made.
  const { text, sha256 } = await textOf(req, isText ? undefined : body);
  const value = text === undefined || isText ? text : parseJson(text);
  if (isText && text !== undefined && !isStorable(text)) throw notStorable('');
  return { value, sha256 };
}

/** The text of the bytes that were received; undefined where there are none. */
async function textOf(req: Request, upload: string | undefined) {
  const bytes: unknown = req.body;
  req.body = undefined;
  const received = Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0);
  const yieldNow = yieldToEventLoop();
  const sha256 = createHash('sha256').update(received).digest();
  if (received.length === 0) return { text: undefined, sha256 };
  await yieldNow();
  if (upload !== undefined && isNestedDeeper(received, deepestUpload)) {
    const message = `must not nest deeper than ${deepestUpload} levels`;
    throw new ApiError('invalid_input', { errors: [{ field: upload, message }] });
  }
  await yieldNow();
  if (!isUtf8(received)) throw new ApiError('malformed_request', { detail: 'the body is not UTF-8' });
  const text = new TextDecoder().decode(received);
  await yieldNow();
  return { text, sha256 };
}

/** Bytes of a body that counts as large; one that is compressed, or does not tell its length, may be. */
const largeBytes = 4 * 1024 * 1024;

/** One of 64 MB takes about 500 MB while its value is made. */
const largeBodies = new LargeBodies({ atOnce: 2, waiting: 16, longestWaitMs: 60_000 });

/** Does the work of a request that may have a large body when there is room for it; any other's at once. */
export async function withRoomForBody<T>(
  req: Request,
  res: Response,
  { maxBytes = ordinaryBytes }: Limited,
  work: () => Promise<T>,
): Promise<T> {
  const length = req.get('content-encoding') === undefined ? Number(req.get('content-length')) : Number.NaN;
  if (maxBytes <= largeBytes || length <= largeBytes) return work();
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  return largeBodies.inTurn(gone.signal, work);
}

/** As body-parser tells it. */
function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'type' in error && error.type === 'entity.too.large';
}

function tooLarge(field: string, maxBytes: number, mediaTypes: readonly string[]): ApiError {
  const message = `must be at most ${maxBytes / 1024 / 1024} MB of ${formOf(mediaTypes)}`;
  return new ApiError('invalid_input', { errors: [{ field, message }] });
}

function notTaken(mediaTypes: readonly string[]): ApiError {
  const types = ['application/json', ...mediaTypes].join(' or ');
  const detail = `the body must be ${formOf(mediaTypes)}: Content-Type: ${types}`;
  return new ApiError('unsupported_media_type', { detail });
}

function formOf(mediaTypes: readonly string[]): string {
  return mediaTypes.length === 0 ? 'JSON' : 'JSON or text';
}

/** What may need a closer look: an escaped NUL or surrogate, or a key that an assignment would obey. */
const suspicious = /\\u(?:0000|d[89a-f]|005f)|__proto__/i;

/** Emoji are escaped as pairs of surrogates, by Python's library for one: to look at every value costs seconds. */
function needsCloserLook(text: string): boolean {
  return suspicious.test(text) && (/__proto__|\\u005f/i.test(text) || hasUnstorableEscape(text));
}

function parseJson(text: string): unknown {
  try {
    return needsCloserLook(text) ? JSON.parse(text, refuseUnstorable) : JSON.parse(text);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    if (error instanceof RangeError)
      throw new ApiError('malformed_request', { detail: 'the body is nested too deeply' });
    const { line, column, expected } = findJsonFault(text);
    const detail = `the body is not JSON: expected ${expected} at line ${line}, column ${column}`;
    throw new ApiError('malformed_request', { detail });
  }
}

function refuseUnstorable(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new ApiError('invalid_input', { errors: [{ field: key, message: 'is not known' }] });
  if (!isStorable(key) || (typeof value === 'string' && !isStorable(value)))
    throw notStorable(isStorable(key) ? key : '');
  return value;
}

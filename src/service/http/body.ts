import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { Procedure } from '../../procedures/define.js';
import { findJsonFault } from '../../procedures/json-fault.js';
import { isNestedDeeper } from './nesting.js';
import { Refusal } from './refusal.js';
import { isStorable, notStorable } from './storable.js';

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
  const bytes: unknown = req.body;
  const received = Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0);
  const value = received.length === 0 ? undefined : isText ? decode(received) : parseJson(received, body);
  return { value, sha256: createHash('sha256').update(received).digest() };
}

/** As body-parser tells it. */
function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'type' in error && error.type === 'entity.too.large';
}

function tooLarge(field: string, maxBytes: number, mediaTypes: readonly string[]): Refusal {
  const message = `must be at most ${maxBytes / 1024 / 1024} MB of ${formOf(mediaTypes)}`;
  return new Refusal('invalid_input', { errors: [{ field, message }] });
}

function notTaken(mediaTypes: readonly string[]): Refusal {
  const types = ['application/json', ...mediaTypes].join(' or ');
  const detail = `the body must be ${formOf(mediaTypes)}: Content-Type: ${types}`;
  return new Refusal('unsupported_media_type', { detail });
}

function formOf(mediaTypes: readonly string[]): string {
  return mediaTypes.length === 0 ? 'JSON' : 'JSON or text';
}

function decode(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new Refusal('malformed_request', { detail: 'the body is not UTF-8' });
  const text = new TextDecoder().decode(bytes);
  if (!isStorable(text)) throw notStorable('');
  return text;
}

/** What needs a closer look: an escaped NUL or surrogate, or a key that an assignment would obey. */
const suspicious = /\\u(?:0000|d[89a-f]|005f)|__proto__/i;

function parseJson(bytes: Buffer, upload: string | undefined): unknown {
  if (upload !== undefined && isNestedDeeper(bytes, deepestUpload)) {
    const message = `must not nest deeper than ${deepestUpload} levels`;
    throw new Refusal('invalid_input', { errors: [{ field: upload, message }] });
  }
  if (!isUtf8(bytes)) throw new Refusal('malformed_request', { detail: 'the body is not UTF-8' });
  const text = new TextDecoder().decode(bytes);
  try {
    return suspicious.test(text) ? JSON.parse(text, refuseUnstorable) : JSON.parse(text);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    if (error instanceof RangeError)
      throw new Refusal('malformed_request', { detail: 'the body is nested too deeply' });
    const { line, column, expected } = findJsonFault(text);
    const detail = `the body is not JSON: expected ${expected} at line ${line}, column ${column}`;
    throw new Refusal('malformed_request', { detail });
  }
}

function refuseUnstorable(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new Refusal('invalid_input', { errors: [{ field: key, message: 'is not known' }] });
  if (!isStorable(key) || (typeof value === 'string' && !isStorable(value)))
    throw notStorable(isStorable(key) ? key : '');
  return value;
}

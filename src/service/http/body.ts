import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { Request } from 'express';
import type { Procedure } from '../../procedures/define.js';
import { yieldToEventLoop } from '../../shared/async/yield-to-event-loop.js';
import { findJsonFault } from '../../shared/json/json-fault.js';
import { formatCount } from '../../shared/text/number-text.js';
import { isGzip, readText, TextFault } from '../../shared/text/read-text.js';
import { ApiError } from './api-error.js';
import { type ReceivedBytes, receiveBytes } from './receive-body.js';
import { newSmallBody, type Spool } from './spool.js';
import { hasUnstorableEscape, isStorableText, replaceUnstorableEscapes, unstorableText } from './storable-text.js';
import { exceededBudget, exceedsMarkup, type JsonBudget } from './text-budget.js';
import type { TransferLimits } from './transfer-rate.js';

/** Bytes of the largest body where the procedure sets no limit. All limits count bytes after decompression. */
const defaultMaxBytes = 1024 * 1024;

/** The parts of a procedure that say how its body is read. */
type BodyFormat = Pick<Procedure, 'body' | 'maxBytes' | 'mediaTypes'>;

/** Values in an upload. A dense report of 64 MB has four million; each may take a hundred bytes of memory. */
const maxUploadValues = 6_000_000;

/** Real reports have about 24 levels of objects and lists; recursive code survives more than these. */
const uploadBudget: JsonBudget = { depth: 128, values: maxUploadValues };

/** An ordinary body is parsed on the main thread. */
const ordinaryBudget: JsonBudget = { depth: Number.POSITIVE_INFINITY, values: 250_000 };

/** Bytes of a body that is read on the main thread. A larger one is a job for a worker thread. */
const smallBodyBytes = 256 * 1024;

/** How bodies are received; tests make the limits tighter. */
export interface Receiving {
  readonly spool: Spool;
  readonly transfer: TransferLimits;
}

/** Milliseconds for a body of an ordinary call. */
const ordinaryDeadlineMs = 60_000;

/**
 * Receives the bytes of a body. Rejects other media types (415), one that arrives too slowly (408) and too many bytes (413; for
 * an upload 422 with the name of its field).
 */
export async function receiveBody(
  req: Request,
  format: BodyFormat,
  { spool, transfer }: Receiving,
): Promise<ReceivedBytes> {
  const { body, maxBytes = defaultMaxBytes, mediaTypes = [] } = format;
  const types = ['application/json', 'application/*+json', ...mediaTypes, ...(body === undefined ? [] : gzipTypes)];
  const hasBody = req.is('*/*') !== null && req.get('content-length') !== '0';
  if (!hasBody) return { size: 0, bytes: Buffer.alloc(0), sha256: createHash('sha256').digest() };
  if (req.is(types) === false) throw unsupportedMediaType(mediaTypes);
  const isUpload = format.maxBytes !== undefined;
  return receiveBytes(req, isUpload ? spool.newBody(smallBodyBytes) : newSmallBody(), {
    maxBytes,
    tooLarge: () => tooLarge(format),
    transfer: isUpload ? transfer : { ...transfer, deadlineMs: Math.min(transfer.deadlineMs, ordinaryDeadlineMs) },
  });
}

/** Whether a body may turn out to be a large one, as far as its headers say. */
export function mayBeLarge(req: Request, { maxBytes = defaultMaxBytes }: BodyFormat): boolean {
  if (maxBytes <= defaultMaxBytes) return false;
  const length = req.get('content-encoding') === undefined ? Number(req.get('content-length') ?? 0) : Number.NaN;
  return !(length <= smallBodyBytes) || req.get('transfer-encoding') !== undefined;
}

/** Whether bytes that are few are many when decompressed: a file that is gzip needs no header that says so. */
export async function inflatesToMany(bytes: Buffer): Promise<boolean> {
  if (!isGzip(bytes)) return false;
  return readText(bytes, { maxBytes: smallBodyBytes }).then(
    () => false,
    (error: unknown) => error instanceof TextFault && error.tooLarge,
  );
}

/**
 * Reads a JSON body, or text where the procedure accepts another media type. An upload may be UTF-8, UTF-16 or what its XML
 * declares, and gzip also without a header that says so. Rejects invalid JSON (400) and an upload that nests too deep or has too
 * many values (422). The value is undefined where there is no body.
 */
export async function readBody(
  bytes: Buffer,
  contentType: string | undefined,
  format: BodyFormat = {},
): Promise<unknown> {
  if (bytes.length === 0) return undefined;
  return valueIn(await textOf(bytes, contentType, format), format);
}

/** An upload may be a compressed file as it is. */
const gzipTypes = ['application/gzip', 'application/x-gzip'];

async function textOf(received: Buffer, contentType: string | undefined, format: BodyFormat): Promise<string> {
  const { body, maxBytes = defaultMaxBytes } = format;
  const yieldNow = yieldToEventLoop();
  await yieldNow();
  if (body === undefined) {
    if (!isUtf8(received)) throw new ApiError('malformed_request', { detail: 'the body is not UTF-8' });
    return new TextDecoder().decode(received);
  }
  const charset = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(contentType ?? '')?.[1];
  try {
    return await readText(received, { maxBytes, charset });
  } catch (error) {
    if (!(error instanceof TextFault)) throw error;
    if (error.tooLarge) throw tooLarge(format);
    throw new ApiError('malformed_request', { detail: `the body ${error.message}` });
  }
}

/** The JSON value of a text; the text itself where it is XML and the procedure takes it. */
async function valueIn(text: string, format: BodyFormat): Promise<unknown> {
  const { body = '', maxBytes, mediaTypes = [] } = format;
  if (mediaTypes.length > 0 && text.trimStart().startsWith('<')) {
    if (exceedsMarkup(text, maxUploadValues)) throw tooManyValues(body, maxUploadValues);
    return text;
  }
  // An ordinary body that nests deeply is refused by the parser.
  const budget = maxBytes === undefined ? ordinaryBudget : uploadBudget;
  const exceeded = exceededBudget(text, budget);
  if (exceeded === 'values') throw tooManyValues(body, budget.values);
  if (exceeded === 'depth') {
    const message = `must not nest deeper than ${budget.depth} levels`;
    throw new ApiError('invalid_input', { errors: [{ field: body, message }] });
  }
  if (format.body === undefined) return parseJson(text, needsCheck(text) ? rejectUnstorable : undefined);
  // What nobody reads may have any character. What is kept of an upload must be storable.
  return parseJson(await replaceUnstorableEscapes(text));
}

function tooManyValues(field: string, max: number): ApiError {
  const message = `must have at most ${formatCount(max)} values (objects, lists, texts, numbers): split it`;
  return new ApiError('invalid_input', { errors: [{ field, message }] });
}

function tooLarge({ body, maxBytes = defaultMaxBytes, mediaTypes = [] }: BodyFormat): ApiError {
  if (body === undefined) return new ApiError('too_large', { detail: 'the body is larger than this call takes' });
  const message = `must be at most ${maxBytes / 1024 / 1024} MB of ${formOf(mediaTypes)}`;
  return new ApiError('invalid_input', { errors: [{ field: body, message }] });
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

import * as z from 'zod';
import type { AnyProcedure, Groups, Procedure } from '../../procedures/define.js';
import { codeOfError } from '../../shared/errors/code-of-error.js';
import type { CallerHeaders, ForwardedCaller } from '../../shared/http/forwarded-caller.js';
import type { RequestParts } from '../../shared/http/request-parts.js';
import { readRetryAfterSeconds } from '../../shared/http/retry-after.js';
import { isRecord } from '../../shared/json/is-record.js';
import type { Credential, TraceContext } from '../caller.js';
import type { Deadline } from '../deadline.js';
import { userAgent } from '../version.js';
import type { UpstreamOutcome } from './outcome.js';
import { compileReader } from './wire-reader.js';

/** Method, path and query of a request, and its body as JSON text. */
export interface WireParts extends Omit<RequestParts, 'body'> {
  readonly body: string | null;
}

/** Who asks the service, as it gets to know it. */
export interface Asker {
  readonly credential: Credential | null;
  readonly requestId: string;
  readonly trace: TraceContext | null;
  /** Where the call comes from; absent: from the gateway itself. */
  readonly from?: ForwardedCaller;
  /** Which of the caller's organisations is meant. */
  readonly organisation?: string | undefined;
}

/** One request to the service. Nothing else is sent. */
export interface UpstreamRequest extends Asker {
  /** The procedure that is asked; absent for a probe. */
  readonly procedure?: Procedure;
  readonly parts: WireParts;
  readonly deadline: Deadline;
}

export function urlOf({ path, query }: Pick<WireParts, 'path' | 'query'>): string {
  if (query.length === 0) return path;
  return `${path}?${new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]))}`;
}

export function answered(status: number, body: unknown, retryAfter: unknown): UpstreamOutcome {
  return { kind: 'answered', status, body, retryAfterSeconds: readRetryAfterSeconds(retryAfter, new Date()) };
}

/** The only headers that are sent to the service, beside those of a body. */
export function outgoingHeaders(
  { credential, requestId, trace, from, organisation }: Asker,
  callerHeaders: CallerHeaders,
): Record<string, string> {
  return {
    accept: 'application/json',
    'user-agent': userAgent,
    'x-request-id': requestId,
    ...(credential !== null && { authorization: credential.authorization() }),
    ...(from !== undefined && callerHeaders(from)),
    ...(organisation !== undefined && { 'x-organisation': organisation }),
    ...(trace !== null && { traceparent: trace.traceparent }),
    ...(trace?.tracestate !== undefined && { tracestate: trace.tracestate }),
  };
}

/** `application/json` or a type built on it, such as `application/problem+json`. */
export function isJson(contentType: unknown): boolean {
  return typeof contentType === 'string' && /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType);
}

/** JSON, or JSON lines. */
export function isFile(contentType: unknown): boolean {
  return (
    isJson(contentType) || (typeof contentType === 'string' && /^application\/x-ndjson\s*(?:;|$)/i.test(contentType))
  );
}

export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Error codes of a connection that was never made: DNS, TCP and TLS. */
const connectFailure =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|CERT_\w+|ERR_TLS_\w+|ERR_SSL_\w+|DEPTH_ZERO_\w+|SELF_SIGNED_\w+|UNABLE_TO_\w+)$/;

export function failureOf(error: unknown): UpstreamOutcome {
  const code = codeOfError(error);
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return { kind: 'unreadable', cause: 'too_large', status: null };
  return { kind: connectFailure.test(code ?? '') ? 'unreachable' : 'broken', code };
}

/**
 * Reads the body of an answer in wire form: validated, with the schema's fields alone, timestamps as a `Date` writes them.
 * The same as zod's decoding and encoding, in one pass where nothing is wrong.
 */
export type ReadWire = (procedure: AnyProcedure, body: unknown) => z.ZodSafeParseResult<Record<string, unknown>>;

/** Compiles a reader for each procedure. */
export function createReadWire(groups: Groups): ReadWire {
  const members = Object.values(groups).flatMap((group) => Object.values(group));
  const readers = new Map(members.map((procedure) => [procedure, readerOf(procedure)]));
  return (procedure, body) => (readers.get(procedure) ?? readerOf(procedure))(body);
}

type Read = z.ZodSafeParseResult<Record<string, unknown>>;

function readerOf(procedure: AnyProcedure): (body: unknown) => Read {
  const reader = compileReader(procedure.output);
  return (body) => {
    const wire = reader(body);
    return isRecord(wire) ? { success: true, data: wire } : readByZod(procedure, body);
  };
}

/** Values that the reader does not accept are nearly always wrong, and then zod says where. */
function readByZod({ output }: AnyProcedure, body: unknown): Read {
  const decoded = z.safeParse(output, body);
  return decoded.success ? z.safeEncode(output, decoded.data) : decoded;
}

import type { Dispatcher } from 'undici';
import type * as z from 'zod';
import type { Procedure } from '../../procedures/define.js';
import { procedures } from '../../procedures/index.js';
import { type RequestParts, toRequest } from '../../shared/http/request-parts.js';
import { followJob } from './follow-job.js';
import { type Answer, RequestRejected, rejectionOf, unreachable } from './request-rejected.js';

/** Where the service is, and with which key and name it is called. */
export interface RemoteService {
  /** Base address without a slash at its end. */
  readonly url: string;
  readonly key: string;
  readonly userAgent: string;
  /** Told what the service does with a large upload. */
  readonly progress?: ((step: string) => void) | undefined;
}

export type SyncInput = z.input<typeof procedures.techStack.sync.input>;
export type SyncResult = z.output<typeof procedures.techStack.sync.output>;

/** Milliseconds for the whole answer. The service needs some seconds for 100,000 packages. */
const timeout = 120_000;

/** Bytes of an answer. A page of 100 verdicts with all their evidence has up to two million. */
const maxAnswerBytes = 16_000_000;

/** The part of a procedure that a call needs. Its schemas are type parameters, so that the answer has their type. */
interface Callable<Input extends z.ZodObject, Output extends z.ZodObject> extends Pick<Procedure, 'http' | 'body'> {
  readonly input: Input;
  readonly output: Output;
}

/** Sends one sync. Every failure is thrown as `RequestRejected`. */
export async function sendSync(service: RemoteService, input: SyncInput): Promise<SyncResult> {
  return call(service, procedures.techStack.sync, input, (field) => fieldName(input, field));
}

/** Calls one procedure with an input in wire form. Every failure is thrown as `RequestRejected`. */
export async function call<Input extends z.ZodObject, Output extends z.ZodObject>(
  service: RemoteService,
  procedure: Callable<Input, Output>,
  input: z.input<Input>,
  nameOf: (field: string) => string = (field) => field,
): Promise<z.output<Output>> {
  const sent = await send(service, toRequest(procedure, input));
  const following = { send: (parts: RequestParts) => send(service, parts), progress: service.progress };
  const { status, retryAfter, json } = await followJob(sent, following);
  const result = procedure.output.safeParse(json);
  if (status >= 200 && status < 300 && result.success) return result.data;
  throw rejectionOf(service.url, { status, retryAfter, json }, nameOf);
}

/** `packages.3.version (lodash 4.17.21)` for `packages.3.version`, since the user never sees the request's rows. */
function fieldName({ packages }: SyncInput, field: string): string {
  const found = packages[Number(/^packages\.(\d+)/.exec(field)?.[1])];
  return found === undefined ? field : `${field} (${found.name} ${found.version})`;
}

async function send(service: RemoteService, { method, path, query, body }: RequestParts): Promise<Answer> {
  // Loaded only here: loading takes a tenth of a second, and an analysis may send nothing.
  const { Agent, request } = await import('undici');
  const dispatcher = new Agent({ connections: 1 });
  try {
    // No redirect is followed: the key goes to the address that the user gave, and to no other.
    const search = query.length === 0 ? '' : `?${new URLSearchParams(Object.fromEntries(query))}`;
    const response = await request(`${service.url}${path}${search}`, {
      dispatcher,
      method,
      headers: {
        accept: 'application/json, application/problem+json',
        authorization: `Bearer ${service.key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        'user-agent': service.userAgent,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeout),
    });
    const { 'retry-after': retryAfter, 'content-type': contentType } = response.headers;
    return {
      status: response.statusCode,
      retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
      json: /^application\/(?:problem\+)?json\b/.test(String(contentType))
        ? await readJson(service, response)
        : undefined,
    };
  } catch (error) {
    throw error instanceof RequestRejected ? error : unreachable(service.url, error);
  } finally {
    await dispatcher.destroy();
  }
}

async function readJson(service: RemoteService, { statusCode, body }: Dispatcher.ResponseData): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size > maxAnswerBytes)
      throw rejectionOf(service.url, { status: statusCode, retryAfter: undefined, json: undefined });
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}

import { Agent, type Dispatcher, request } from 'undici';
import type * as z from 'zod';
import { toRequest } from '../procedures/http.js';
import { procedures } from '../procedures/index.js';
import { Refused, refusalOf, unreachable } from './refused.js';

/** Where the service is, and who calls it. */
export interface Service {
  /** Base address without a slash at its end. */
  readonly url: string;
  readonly key: string;
  readonly userAgent: string;
}

export type SyncInput = z.input<typeof procedures.techStack.sync.input>;
export type SyncResult = z.output<typeof procedures.techStack.sync.output>;

/** Milliseconds until the whole answer must be there; 100,000 packages take the service some seconds. */
const deadline = 60_000;

/** Bytes of an answer; the API's own have a few hundred. */
const largestAnswer = 1_000_000;

/** Sends one sync. Whatever goes wrong is thrown as `Refused`, with what to do about it. */
export async function sendSync(service: Service, input: SyncInput): Promise<SyncResult> {
  const { path, body } = toRequest(procedures.techStack.sync, input);
  const { status, retryAfter, json } = await post(service, path, JSON.stringify(body));
  const result = procedures.techStack.sync.output.safeParse(json);
  if (status >= 200 && status < 300 && result.success) return result.data;
  throw refusalOf(service.url, { status, retryAfter, json }, (field) => fieldName(input, field));
}

/** `packages.3.version (lodash 4.17.21)` for `packages.3.version`: nobody counts rows of a request they never saw. */
function fieldName({ packages }: SyncInput, field: string): string {
  const found = packages[Number(/^packages\.(\d+)/.exec(field)?.[1])];
  return found === undefined ? field : `${field} (${found.name} ${found.version})`;
}

async function post(service: Service, path: string, body: string) {
  const dispatcher = new Agent({ connections: 1 });
  try {
    // No redirect is followed: the key goes to the address that the user gave, and to no other.
    const response = await request(`${service.url}${path}`, {
      dispatcher,
      method: 'POST',
      headers: {
        accept: 'application/json, application/problem+json',
        authorization: `Bearer ${service.key}`,
        'content-type': 'application/json',
        'user-agent': service.userAgent,
      },
      body,
      signal: AbortSignal.timeout(deadline),
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
    throw error instanceof Refused ? error : unreachable(service.url, error);
  } finally {
    await dispatcher.destroy();
  }
}

async function readJson(service: Service, { statusCode, body }: Dispatcher.ResponseData): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size > largestAnswer)
      throw refusalOf(service.url, { status: statusCode, retryAfter: undefined, json: undefined });
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}

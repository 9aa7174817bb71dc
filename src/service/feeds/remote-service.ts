import { createReadStream } from 'node:fs';
import { Agent, type Dispatcher, request } from 'undici';
import { problem } from '../../procedures/problem.js';
import { codeOfError } from '../../shared/errors/code-of-error.js';
import { feedLine } from './answer-lines.js';
import { FeedError } from './feed.js';
import type { EmitFeedEvent } from './feed-event.js';
import { type FeedStatus, feedStatus } from './feed-status.js';
import { sizeOf } from './file-bytes.js';
import { readLines } from './lines.js';
import type { LoadRequest } from './load-context.js';
import { parseJson } from './record-text.js';

/** A running service that has the database open, and its operator key. */
export interface RemoteService {
  /** `http://127.0.0.1:3000` */
  readonly url: string;
  readonly operatorKey: string;
}

const maxAnswerBytes = 1024 * 1024;

/** Uploads a feed file to the service, which loads it. Emits the service's events. */
export async function uploadFeed(
  service: RemoteService,
  { kind, file, onBad, covers }: Omit<LoadRequest, 'part' | 'validator'>,
  emit: EmitFeedEvent,
): Promise<void> {
  const size = await sizeOf(file);
  // A cheap request first: a wrong key fails here, and not after an upload of a gigabyte.
  await requestStatus(service);
  const query = new URLSearchParams({ name: file.name, on_bad: onBad });
  if (covers !== undefined && kind === 'osv') query.set('covers', covers.join(',') || 'none');
  await callService(
    service,
    {
      method: 'PUT',
      path: `/feeds/${kind}?${query}`,
      body: createReadStream(file.path),
      headers: { 'content-type': 'application/octet-stream', 'content-length': String(size) },
    },
    (answer) => emitLines(answer, emit),
  );
}

/** Makes the service sync its feeds. `only` names some of them; empty means all. */
export async function requestSync(service: RemoteService, only: readonly string[], emit: EmitFeedEvent): Promise<void> {
  const query = only.length === 0 ? '' : `?${new URLSearchParams({ only: only.join(',') })}`;
  await callService(service, { method: 'POST', path: `/feeds/sync${query}` }, (answer) => emitLines(answer, emit));
}

export async function requestStatus(service: RemoteService): Promise<FeedStatus> {
  return callService(service, { method: 'GET', path: '/feeds' }, async (answer) => {
    const status = feedStatus.safeParse(parseJson(await textOf(answer)));
    if (!status.success) throw new FeedError(`the service at ${service.url} answered something else than a status`);
    return status.data;
  });
}

type Call = Pick<Dispatcher.RequestOptions, 'body'> & {
  readonly method: 'GET' | 'PUT' | 'POST';
  readonly path: string;
  readonly headers?: Record<string, string>;
};

/** A load has no time limit; a service that goes away ends the connection. */
const noTimeouts = { headersTimeout: 0, bodyTimeout: 0 };

async function callService<T>(
  service: RemoteService,
  { method, path, body, headers }: Call,
  use: (answer: Dispatcher.ResponseData) => Promise<T>,
): Promise<T> {
  const { url, operatorKey } = service;
  const agent = new Agent(noTimeouts);
  try {
    const answer = await request(`${url.replace(/\/$/, '')}/api/operator${path}`, {
      dispatcher: agent,
      method,
      headers: { authorization: `Bearer ${operatorKey}`, ...headers },
      ...(body !== undefined && { body }),
    });
    if (answer.statusCode === 200) return await use(answer);
    throw new FeedError(rejectionText(service, answer.statusCode, parseJson(await textOf(answer))));
  } catch (error) {
    if (error instanceof FeedError) throw error;
    const code = codeOfError(error);
    throw new FeedError(`the service at ${url} could not be reached, or broke off${code === null ? '' : ` (${code})`}`);
  } finally {
    await agent.destroy();
  }
}

function rejectionText({ url }: RemoteService, status: number, body: unknown): string {
  if (status === 401) return `the service at ${url} does not take this operator key`;
  const parsed = problem.safeParse(body);
  const reasons = parsed.success
    ? [parsed.data.detail, ...(parsed.data.errors ?? []).map(({ field, message }) => `${field}: ${message}`)]
    : [];
  return `the service at ${url} refused: ${reasons.filter((each) => each !== undefined).join('; ') || `HTTP ${status}`}`;
}

async function textOf({ body }: Dispatcher.ResponseData): Promise<string> {
  for await (const { text } of readLines(body, maxAnswerBytes)) return text ?? '';
  return '';
}

/** Emits the events of an answer. An answer without its last line was cut off, whatever came before. */
async function emitLines({ body }: Dispatcher.ResponseData, emit: EmitFeedEvent): Promise<void> {
  for await (const { text } of readLines(body, maxAnswerBytes)) {
    const line = feedLine.safeParse(parseJson(text ?? ''));
    if (!line.success) throw new FeedError('the service answered in words that this version does not know');
    if (line.data.type === 'done') return;
    emit(line.data);
  }
  throw new FeedError('the service broke off; what it wrote stays, and the load can be run again');
}

import { createReadStream } from 'node:fs';
import { Agent, type Dispatcher, request } from 'undici';
import { problem } from '../../procedures/problem.js';
import { feedLine } from './answer-lines.js';
import { FeedError } from './feed.js';
import type { Tell } from './feed-event.js';
import { type FeedStatus, feedStatus } from './feed-status.js';
import { sizeOf } from './file-bytes.js';
import { readLines } from './lines.js';
import type { LoadRequest } from './load-context.js';
import { parseJson } from './osv-text.js';

/** A running service that has the database open, and the key it takes feeds with. */
export interface Desk {
  /** `http://127.0.0.1:3000` */
  readonly url: string;
  readonly operatorKey: string;
}

const maxAnswerBytes = 1024 * 1024;

/** Gives a feed file to the service, which loads it; tells what the service tells. */
export async function handOverFile(
  desk: Desk,
  { kind, file, onBad }: Omit<LoadRequest, 'part' | 'validator'>,
  tell: Tell,
): Promise<void> {
  const size = await sizeOf(file);
  // A refused key is better heard of before a gigabyte is on its way.
  await readStatusFrom(desk);
  const query = new URLSearchParams({ name: file.name, on_bad: onBad });
  await withAnswer(
    desk,
    {
      method: 'PUT',
      path: `/feeds/${kind}?${query}`,
      body: createReadStream(file.path),
      headers: { 'content-type': 'application/octet-stream', 'content-length': String(size) },
    },
    (answer) => tellLines(answer, tell),
  );
}

/** Has the service sync its feeds; `only` names some of them, none means all. */
export async function handOverSync(desk: Desk, only: readonly string[], tell: Tell): Promise<void> {
  const query = only.length === 0 ? '' : `?${new URLSearchParams({ only: only.join(',') })}`;
  await withAnswer(desk, { method: 'POST', path: `/feeds/sync${query}` }, (answer) => tellLines(answer, tell));
}

/** What the service has loaded. */
export async function readStatusFrom(desk: Desk): Promise<FeedStatus> {
  return withAnswer(desk, { method: 'GET', path: '/feeds' }, async (answer) => {
    const status = feedStatus.safeParse(parseJson(await textOf(answer)));
    if (!status.success) throw new FeedError(`the service at ${desk.url} answered something else than a status`);
    return status.data;
  });
}

type Call = Pick<Dispatcher.RequestOptions, 'body'> & {
  readonly method: 'GET' | 'PUT' | 'POST';
  readonly path: string;
  readonly headers?: Record<string, string>;
};

/** A load may take as long as it takes; a service that goes away ends the connection. */
const patience = { headersTimeout: 0, bodyTimeout: 0 };

async function withAnswer<T>(desk: Desk, call: Call, use: (answer: Dispatcher.ResponseData) => Promise<T>): Promise<T> {
  const { url, operatorKey } = desk;
  const { method, path, body, headers } = call;
  const agent = new Agent(patience);
  try {
    const answer = await request(`${url.replace(/\/$/, '')}/api/operator${path}`, {
      dispatcher: agent,
      method,
      headers: { authorization: `Bearer ${operatorKey}`, ...headers },
      ...(body !== undefined && { body }),
    });
    if (answer.statusCode === 200) return await use(answer);
    throw new FeedError(refusalText(desk, answer.statusCode, parseJson(await textOf(answer))));
  } catch (error) {
    if (error instanceof FeedError) throw error;
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new FeedError(`the service at ${url} could not be reached, or broke off${code}`);
  } finally {
    await agent.destroy();
  }
}

function refusalText({ url }: Desk, status: number, body: unknown): string {
  if (status === 401) return `the service at ${url} does not take this operator key`;
  const refusal = problem.safeParse(body);
  const reasons = refusal.success
    ? [refusal.data.detail, ...(refusal.data.errors ?? []).map(({ field, message }) => `${field}: ${message}`)]
    : [];
  return `the service at ${url} refused: ${reasons.filter((each) => each !== undefined).join('; ') || `HTTP ${status}`}`;
}

async function textOf({ body }: Dispatcher.ResponseData): Promise<string> {
  for await (const { text } of readLines(body, maxAnswerBytes)) return text ?? '';
  return '';
}

/** An answer without its last line broke off, whatever came before. */
async function tellLines({ body }: Dispatcher.ResponseData, tell: Tell): Promise<void> {
  for await (const { text } of readLines(body, maxAnswerBytes)) {
    const line = feedLine.safeParse(parseJson(text ?? ''));
    if (!line.success) throw new FeedError('the service answered in words that this version does not know');
    if (line.data.type === 'done') return;
    tell(line.data);
  }
  throw new FeedError('the service broke off; what it wrote stays, and the load can be run again');
}

import type * as z from 'zod';
import { problem } from '../../procedures/problem.js';
import { refusalText } from './refusal-text.js';

interface RunningService {
  readonly url: string;
  readonly operatorKey: string;
}

interface Asked<Answer extends z.ZodType> {
  /** Relative to `/api/operator`. */
  readonly path: string;
  readonly body: object;
  readonly answer: Answer;
}

/** Milliseconds. */
const timeoutMs = 30_000;

/** Asks a running service as its operator. The error's message is the service's code, or what to do. */
export async function askService<Answer extends z.ZodType>(
  { url, operatorKey }: RunningService,
  { path, body: sent, answer }: Asked<Answer>,
): Promise<z.output<Answer>> {
  const response = await fetch(`${url.replace(/\/$/, '')}/api/operator${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(sent),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  const body: unknown = await response.json().catch(() => null);
  const answered = answer.safeParse(body);
  if (response.ok && answered.success) return answered.data;
  if (response.status === 401)
    throw new Error(`the service at ${url} does not take this operator key: set OPERATOR_KEY`);
  const refused = problem.safeParse(body);
  if (refused.success) throw new Error(refusalText(refused.data));
  throw new Error(`the service at ${url} answered ${response.status}, and not what was asked for`);
}

import { setTimeout as sleep } from 'node:timers/promises';
import type * as z from 'zod';
import { type Answer, type Request, send } from './http.js';
import { parseJson } from './json.js';

const maxAttempts = 8;

/** A call that is repeated, after Retry-After, while the server is too busy for it. */
export async function sendPatiently(url: string, request: Request): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await send(url, { limitMs: 120_000, ...request });
    if (attempt === maxAttempts || ![429, 503].includes(answer.status)) return answer;
    await sleep(Math.min(30, Number(answer.retryAfter ?? 1) || 1) * 1000);
  }
}

/**
 * The answer of a call that the program needs: it must succeed.
 * @throws Error with the status and the beginning of the answer.
 */
export async function expectAnswer<Schema extends z.ZodType>(
  url: string,
  request: Request,
  schema: Schema,
): Promise<z.output<Schema>> {
  const answer = await sendPatiently(url, request);
  if (answer.status >= 200 && answer.status < 300) return schema.parse(parseJson(answer.text));
  const [path] = request.path.split('?');
  throw new Error(`${request.method ?? ''} ${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
}

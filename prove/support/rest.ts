import { setTimeout as sleep } from 'node:timers/promises';
import type * as z from 'zod';
import { type Request, send } from './http.js';
import { parseJson } from './json.js';

/**
 * The answer of a call that the program needs: it must succeed. One that asks to come again is repeated a few times.
 * @throws Error with the status and the beginning of the answer.
 */
export async function expectAnswer<Schema extends z.ZodType>(
  url: string,
  request: Request,
  schema: Schema,
): Promise<z.output<Schema>> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await send(url, { limitMs: 120_000, ...request });
    if (answer.status >= 200 && answer.status < 300) return schema.parse(parseJson(answer.text));
    const [path] = request.path.split('?');
    if (attempt === 8 || ![429, 503].includes(answer.status)) {
      throw new Error(`${request.method ?? ''} ${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
    }
    await sleep(Math.min(30, Number(answer.retryAfter ?? 1) || 1) * 1000);
  }
}

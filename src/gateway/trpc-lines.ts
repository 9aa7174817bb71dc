import type { ServerResponse } from 'node:http';
import superjson from 'superjson';
import type { Within } from './answers/superjson-envelope.js';

// tRPC's form of answers that come one by one, as `httpBatchStreamLink` reads it (`stream/jsonl.ts` of @trpc/server): the first line
// names a promise for each query, and each further line is the value of one, in any order.

/** The line of an answer, around its data: fulfilled (0), and nothing in it is promised in its turn. */
export function lineOf(at: number): Within {
  return {
    path: '2.0.0.result.data',
    before: `[${at},0,[[{"result":{"data":`,
    after: '}}]]]',
    wrap: (data) => [at, 0, [[{ result: { data } }]]],
  };
}

export function errorLine(at: number, shape: unknown): string {
  return superjson.stringify([at, 0, [[{ error: shape }]]]);
}

function firstLine(count: number): string {
  const promises = Array.from({ length: count }, (_, at) => [at, [[0], [null, 0, at]]]);
  return superjson.stringify(Object.fromEntries(promises));
}

/** Sends each line as soon as it is known. The first waits for one of them: most answers are then sent at once. */
export async function sendLines(res: ServerResponse, answers: readonly Promise<string>[]): Promise<void> {
  res.setHeader('content-type', 'application/json');
  let head = `${firstLine(answers.length)}\n`;
  let left = answers.length;
  await Promise.all(
    answers.map(async (answer) => {
      const line = await answer;
      left -= 1;
      if (res.destroyed) return;
      const text = `${head}${line}\n`;
      head = '';
      if (left === 0) res.end(text);
      else res.write(text);
    }),
  );
}

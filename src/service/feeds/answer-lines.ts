import type { Response } from 'express';
import * as z from 'zod';
import { type EmitFeedEvent, feedEvent } from './feed-event.js';

/** A line of the answer: an event, or `done` as the last line of a complete answer. */
export const feedLine = z.discriminatedUnion('type', [...feedEvent.options, z.object({ type: z.literal('done') })]);

/** Answers one JSON object a line, `done` last. The signal ends the work when the caller disconnects. */
export async function answerLines(
  res: Response,
  work: (emit: EmitFeedEvent, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const disconnected = new AbortController();
  res.once('close', () => disconnected.abort());
  res.status(200).type('application/x-ndjson').flushHeaders();
  const write = (line: z.output<typeof feedLine>) => res.write(`${JSON.stringify(z.encode(feedLine, line))}\n`);
  try {
    await work(write, disconnected.signal);
    write({ type: 'done' });
    res.end();
  } catch (error) {
    // The status is sent already. Only a broken connection can still show that something failed.
    res.destroy();
    if (!disconnected.signal.aborted) throw error;
  }
}

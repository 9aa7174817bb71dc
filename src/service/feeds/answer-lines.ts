import type { Response } from 'express';
import * as z from 'zod';
import { feedEvent, type Tell } from './feed-event.js';

/** A line of the answer: an event, or the word that it is whole. */
export const feedLine = z.discriminatedUnion('type', [...feedEvent.options, z.object({ type: z.literal('done') })]);

/** Answers one JSON object a line, `done` last. The work is told to end when the caller goes away. */
export async function answerLines(
  res: Response,
  work: (tell: Tell, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  res.status(200).type('application/x-ndjson').flushHeaders();
  const write = (line: z.output<typeof feedLine>) => res.write(`${JSON.stringify(z.encode(feedLine, line))}\n`);
  try {
    await work(write, gone.signal);
    write({ type: 'done' });
    res.end();
  } catch (error) {
    // The status is out: breaking the answer off is the only way left to say that something failed.
    res.destroy();
    if (!gone.signal.aborted) throw error;
  }
}

import * as z from 'zod';
import captured from './examples.json' with { type: 'json' };

/** A request that was sent, and what the service answered to it; ids, times and secrets are replaced. */
export const exchange = z.object({
  path: z.record(z.string(), z.string()),
  query: z.record(z.string(), z.string()),
  /** Absent: the request had no body. */
  body: z.json().optional(),
  answer: z.json(),
});

export type Exchange = z.output<typeof exchange>;

/** What was captured: an exchange for each procedure, as `alerts.list`, and a refusal for each status. */
export const capturedExamples = z.object({
  procedures: z.record(z.string(), exchange),
  problems: z.record(z.string(), z.json()),
});

export type CapturedExamples = z.output<typeof capturedExamples>;

/** Real answers. A test sends the requests again, and writes the file anew with UPDATE_EXAMPLES=1. */
export function readExamples(): CapturedExamples {
  return capturedExamples.parse(captured);
}

import * as z from 'zod';

/** An answer in wire form. */
export type Answer = Readonly<Record<string, unknown>>;

export interface Performed {
  readonly answer: Answer;
  /** It is the answer to an earlier request with this Idempotency-Key. */
  readonly replayed: boolean;
}

export const wireAnswer = z.record(z.string(), z.unknown());

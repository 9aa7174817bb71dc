import * as z from 'zod';
import type { Lane } from '../db/transaction-turns.js';

/** The number that an upload's process gives a turn. */
const turn = z.int();

const lane = z.union([
  z.enum(['background', 'health', 'newcomers']),
  z.templateLiteral(['organisation:', z.string()]),
]) satisfies z.ZodType<Lane>;

/** Of an upload's process to the one that has opened the embedded database. `maxWaitMs` may be infinite. */
export const ofTurns = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('take'),
    turn,
    lane,
    maxWaitMs: z.union([z.number(), z.literal(Number.POSITIVE_INFINITY)]),
  }),
  z.object({ kind: z.literal('end'), turn }),
]);
export type OfTurns = z.infer<typeof ofTurns>;

/** Answers to `take`. */
export const toTurns = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('begin'), turn }),
  z.object({ kind: z.literal('refused'), turn, message: z.string(), retryAfterSeconds: z.number() }),
]);
export type ToTurns = z.infer<typeof toTurns>;

import * as z from 'zod/mini';
import { groupSearch } from '../groups/search.js';

export const windows = [7, 30, 90] as const;
export type Window = (typeof windows)[number];

/** What of a posture is in the address. */
export const postureSearch = z.object({
  days: z.catch(z.optional(z.literal(windows)), undefined),
  domain: z.catch(z.optional(z.enum(['dependencies', 'code', 'running_app', 'containers'])), undefined),
  ...groupSearch,
});
export type PostureSearch = z.infer<typeof postureSearch>;

export const defaultWindow: Window = 7;

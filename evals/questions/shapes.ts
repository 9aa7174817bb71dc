import * as z from 'zod';

/** Walks read these fields of answers. */
export const rows = <Shape extends z.ZodType>(shape: Shape) => z.object({ items: z.array(shape), total: z.int() });

export const named = z.object({ name: z.string() });
export const project = z.object({ id: z.string(), name: z.string() });

/** A list without rows has this coverage. */
export const coverage = z.object({ status: z.string(), known: z.boolean(), gaps: z.array(z.string()) });

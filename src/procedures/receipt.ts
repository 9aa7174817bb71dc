import * as z from 'zod';

/** Skipped rows that a receipt lists; `skipped` counts all. */
export const maxSkippedRows = 20;

/** Kinds of rows that are read, but not kept. */
export const leftOutKinds = ['misconfigurations', 'secrets', 'licences', 'passed', 'system_packages', 'other'] as const;

/** What became of each row of an upload: `rows` = `taken` + `merged` + `skipped` + the counts of `left_out`. */
export const receipt = z.object({
  rows: z.int().describe('in the document'),
  taken: z.int().describe('kept, each as one'),
  merged: z.int().describe('the same as one that was taken'),
  skipped: z.int().describe('could not be read'),
  skipped_rows: z
    .array(z.object({ pointer: z.string().describe('JSON Pointer (RFC 6901)'), reason: z.string() }))
    .max(maxSkippedRows)
    .describe(`the first ${maxSkippedRows}`),
  left_out: z
    .array(z.object({ kind: z.enum(leftOutKinds), count: z.int() }))
    .describe('of kinds that are not kept; none with the count 0'),
});
export type Receipt = z.output<typeof receipt>;

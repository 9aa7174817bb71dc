import type * as z from 'zod';
import { describeInvalid } from '../../../shared/schema/parse-input.js';
import { onOneLine } from '../../../shared/text/cut.js';

const maxReason = 200;

/** In words, why a row of a document cannot be read. */
export function describeRow(schema: z.ZodObject, error: z.ZodError): string {
  const [first = { field: '', message: 'cannot be read' }] = describeInvalid(schema, error);
  return onOneLine(`${first.field} ${first.message}`, maxReason);
}

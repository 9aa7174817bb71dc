import type * as z from 'zod';
import type { Reason } from '../../procedures/problem.js';
import { describeInvalid } from '../../shared/schema/describe-invalid.js';
import { unreadableReport } from './report-refusal.js';

/**
 * A part of a report by its schema; refuses with `reason` what does not fit. `place` is where it stands in the report, as
 * `runs.0.results.3` (`` for the whole): entries are read one by one, since there may be a hundred thousand.
 */
export function parseReport<Schema extends z.ZodObject>(
  reason: Reason,
  schema: Schema,
  value: unknown,
  place = '',
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [first = { field: '', message: 'cannot be read' }] = describeInvalid(schema, parsed.error);
  const inside = [place, first.field].filter((part) => part !== '').join('.');
  throw unreadableReport(reason, inside, first.message);
}

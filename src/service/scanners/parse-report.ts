import type * as z from 'zod';
import { reasons } from '../../procedures/problem.js';
import { reportUploads, type ScannedDomain } from '../../procedures/scanner-formats.js';
import { describeInvalid } from '../../shared/schema/parse-input.js';
import { clip } from '../../shared/text/cut.js';
import { ApiError } from '../http/api-error.js';

/** Findings of one report; the largest real ones have some thousands. */
const maxFindings = 100_000;

/** Characters of a place. Its keys come from the report, and so from its sender. */
const maxPlace = 200;

/**
 * The error for a report that is not of its domain's formats: 422 with the place inside the report (as
 * `runs.0.tool.driver.name`; `` for the whole) and what was expected there. The expectation is the problem's detail,
 * because the message of a field must be the same on every transport.
 */
export function unreadableReport(domain: ScannedDomain, place: string, expected: string): ApiError {
  const { reason } = reportUploads[domain];
  const field = place === '' ? 'report' : `report.${clip(place, maxPlace)}`;
  return new ApiError('invalid_input', {
    detail: `${field} ${expected}`,
    errors: [{ field, message: reasons[reason], reason }],
  });
}

/** Parses what makes a document a report of its format; throws `unreadableReport` for what does not fit. */
export function parseReport<Schema extends z.ZodObject>(
  domain: ScannedDomain,
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [first = { field: '', message: 'cannot be read' }] = describeInvalid(schema, parsed.error);
  throw unreadableReport(domain, first.field, first.message);
}

/** Rejects a report with too many findings or other parts; `words` is what its format calls them. */
export function checkCount(
  domain: ScannedDomain,
  place: string,
  count: number,
  words: string,
  max: number = maxFindings,
): void {
  if (count <= max) return;
  throw unreadableReport(domain, place, `at most ${max} ${words} are taken at once, not ${count}`);
}

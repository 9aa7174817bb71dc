import { type Reason, reasons } from '../../procedures/problem.js';
import { clip } from '../../shared/text/clip.js';
import { ApiError } from '../http/api-error.js';

/** Characters of a place: keys of a report are its sender's. */
const longestPlace = 200;

/**
 * A report that is not of the format it should be: 422 that names the format, the place inside the report (as
 * `runs.0.tool.driver.name`; `` for the whole) and what was expected there. The expectation is the problem's detail: a
 * field's own words are the same on every door.
 */
export function unreadableReport(reason: Reason, place: string, expected: string): ApiError {
  const field = place === '' ? 'report' : `report.${clip(place, longestPlace)}`;
  return new ApiError('invalid_input', {
    detail: `${field} ${expected}`,
    errors: [{ field, message: reasons[reason], reason }],
  });
}

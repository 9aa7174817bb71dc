import { type Reason, reasons } from '../../procedures/problem.js';
import { Refusal } from '../http/refusal.js';

/** Characters of a place: keys of a report are its sender's. */
const longestPlace = 200;

/**
 * A report that is not of the format it should be: 422 on the input `report`, with the place inside it (as
 * `runs.0.tool.driver.name`; `` for the whole) and what was expected there.
 */
export function unreadableReport(reason: Reason, place: string, expected: string): Refusal {
  const field = place === '' ? 'report' : `report.${place.slice(0, longestPlace)}`;
  return new Refusal('invalid_input', { errors: [{ field, message: `${reasons[reason]}: ${expected}`, reason }] });
}

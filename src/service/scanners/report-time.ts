import { head } from '../../shared/text/cut.js';

/** Before that there were no scanners; some tools write the year 1 for an unknown time. */
const earliest = Date.UTC(2000);

const withZone = /(?:Z|GMT|UTC|[+-]\d\d:?\d\d)$/i;

/**
 * When a report was made, as it says; null where it says nothing that can be. A time without a zone, as ZAP writes it, is
 * read as UTC: two of one tool then compare the same on every machine.
 */
export function reportTime(text: string | null | undefined): Date | null {
  const given = head(text ?? '', 64).trim();
  const time = Date.parse(withZone.test(given) ? given : `${given}Z`);
  return time > earliest ? new Date(time) : null;
}

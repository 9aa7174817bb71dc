import * as z from 'zod/mini';
import type { RouterInputs } from '../../api/client.js';

const text = (max: number) => z.catch(z.optional(z.string().check(z.minLength(1), z.maxLength(max))), undefined);
const date = z.catch(z.optional(z.iso.date()), undefined);

/** What stands in the address. Days are the reader's. */
export const auditSearch = z.object({
  actor: text(254),
  action: text(100),
  project: text(64),
  since: date,
  until: date,
  /** The entry that is open. */
  entry: text(64),
});

export type AuditSearch = z.infer<typeof auditSearch>;

/** The filters as the procedure takes them. */
export function filtersOf({
  actor,
  action,
  project,
  ...days
}: AuditSearch): RouterInputs['organisation']['getAuditLog'] {
  return {
    ...(actor !== undefined && { actor }),
    ...(action !== undefined && { action }),
    ...(project !== undefined && { project_id: project }),
    ...rangeOf(days),
  };
}

/** Both days belong to the range. */
export function rangeOf({ since, until }: Pick<AuditSearch, 'since' | 'until'>) {
  return {
    ...(since !== undefined && { since: startOf(since, 0) }),
    ...(until !== undefined && { until: startOf(until, 1) }),
  };
}

/** When a day begins in the reader's zone, or one that is some days later. */
function startOf(day: string, later: number): string {
  const at = new Date(`${day}T00:00:00`);
  at.setDate(at.getDate() + later);
  return at.toISOString();
}

import * as z from 'zod/mini';
import type { RouterInputs } from '../../../client/index.js';
import { vulnerabilityIdsIn } from '../../../shared/vulnerability-id.js';
import { tiers, usageClasses, verdictBands } from '../../../shared/vulnerability-terms.js';
import { groupSearch } from '../../components/groups/search.js';
import { scoped } from '../../components/posture/types.js';

/** Each key falls back alone: a bad link shows more alerts, never a broken page. */
const optional = <Type>(type: z.ZodMiniType<Type>) => z.catch(z.optional(type), undefined);
const text = optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(200)));

/** The filters of a list of alerts, as they stand in the address. */
export const alertFilters = z.object({
  /** Absent: unresolved ones, acknowledged or not. */
  status: optional(z.enum(['open', 'acknowledged', 'resolved', 'all'])),
  band: optional(z.enum([...verdictBands, 'unanalyzed'])),
  tier: optional(z.enum(tiers)),
  usage: optional(z.enum(usageClasses)),
  kev: optional(z.boolean()),
  fixable: optional(z.boolean()),
  cve: text,
  package: text,
  ...groupSearch,
});
export type AlertFilters = z.infer<typeof alertFilters>;

type ListInput = Omit<RouterInputs['alerts']['list'], 'page' | 'page_size'>;

/** What the service is asked for. */
export function listInput({ status, group, usage, ...others }: AlertFilters, projectId: string | undefined): ListInput {
  const scope = scoped({ projectId, group });
  const filters = usage === undefined ? others : { ...others, usage: [usage] };
  if (status === undefined) return { ...scope, ...filters, resolved: false };
  return status === 'all' ? { ...scope, ...filters } : { ...scope, ...filters, status };
}

/** Whether the filters leave alerts out, besides those that are resolved. */
export function isFiltered(filters: AlertFilters): boolean {
  return Object.values(filters).some((value) => value !== undefined);
}

/** What one field filters by: an id of a vulnerability in any case, or else a part of a package's name. */
export function namedBy(words: string): Pick<AlertFilters, 'cve' | 'package'> {
  const given = words.trim();
  const [id] = vulnerabilityIdsIn(given, 1);
  if (id !== undefined && id.length === given.length) return { cve: id, package: undefined };
  return { cve: undefined, package: given === '' ? undefined : given };
}

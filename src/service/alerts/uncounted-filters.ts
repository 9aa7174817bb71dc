import { type RawBuilder, sql } from 'kysely';
import type * as z from 'zod';
import type { alerts } from '../../procedures/alerts.js';
import { isAboutVulnerability } from './about-vulnerability.js';

type ListInput = z.output<typeof alerts.list.input>;
/** The filters that the kept counts do not know. */
type Uncounted = Pick<ListInput, 'cve' | 'package' | 'usage' | 'kev' | 'fixable'>;

/** The conditions of those filters that are given. */
export function uncountedConditions({ cve, package: name, usage, kev, fixable }: Uncounted): RawBuilder<boolean>[] {
  return [
    ...(cve === undefined ? [] : [isAboutVulnerability(cve)]),
    ...(name === undefined ? [] : [isNamed(name)]),
    // As a range and with its index's first column in the order, as for bands.
    ...(usage === undefined ? [] : [sql<boolean>`(alerts.usage >= ${usage} and alerts.usage <= ${usage})`]),
    ...(kev === undefined ? [] : [isThere('kev_added', kev)]),
    ...(fixable === undefined ? [] : [isThere('safe_version', fixable)]),
  ];
}

function isThere(column: 'kev_added' | 'safe_version', there: boolean): RawBuilder<boolean> {
  return there ? sql<boolean>`${sql.ref(column)} is not null` : sql<boolean>`${sql.ref(column)} is null`;
}

/** In any case; as the manifest spells the name, or as its registry compares it. */
function isNamed(part: string): RawBuilder<boolean> {
  const contains = (column: string) => sql`position(lower(${part}) in lower(${sql.ref(column)})) > 0`;
  return sql<boolean>`(${contains('alerts.package_name')} or ${contains('alerts.name')})`;
}

/**
 * The opposite of a filter that most alerts pass: those that do not are few, and have an index. Undefined where that is not
 * the only filter of its kind.
 */
export function fewOthers(input: Omit<ListInput, 'project_id'>): Omit<ListInput, 'project_id'> | undefined {
  const { cve, package: name, usage, kev, fixable } = input;
  if (cve !== undefined || name !== undefined || usage !== undefined) return undefined;
  if (kev === false && fixable === undefined) return { ...input, kev: true };
  return fixable === true && kev === undefined ? { ...input, fixable: false } : undefined;
}

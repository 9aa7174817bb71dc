import { type RawBuilder, sql } from 'kysely';
import type * as z from 'zod';
import type { alerts } from '../../procedures/alerts.js';
import type { Usage } from '../../shared/vulnerability-terms.js';
import { isAboutVulnerability } from './about-vulnerability.js';

type ListInput = z.output<typeof alerts.list.input>;
/** The filters that the kept counts do not know. */
type Uncounted = Pick<
  ListInput,
  'cve' | 'package' | 'usage' | 'severity' | 'epss_min' | 'cwe' | 'kev' | 'fixable' | 'overridden'
>;

/** The conditions of those filters that are given. */
export function uncountedConditions(filters: Uncounted): RawBuilder<boolean>[] {
  const { cve, package: name, usage, severity, epss_min, cwe, kev, fixable, overridden } = filters;
  return [
    ...given(cve, isAboutVulnerability),
    ...given(name, isNamed),
    ...given(usage, isUsed),
    ...given(severity, (severities) => sql<boolean>`alerts.severity = any (${severities}::text[])`),
    ...given(epss_min, (least) => sql<boolean>`alerts.epss >= ${least}`),
    ...given(cwe, (kind) => namesWeakness(sql`cwes @> array[${kind}]::text[]`)),
    ...given(kev, (there) => isThere('kev_added', there)),
    ...given(fixable, (there) => isThere('safe_version', there)),
    ...given(overridden, (there) => (there ? isOverridden : sql<boolean>`not ${isOverridden}`)),
  ];
}

function given<Value>(value: Value | undefined, condition: (value: Value) => RawBuilder<boolean>) {
  return value === undefined ? [] : [condition(value)];
}

/** Some advisory of the alert meets a condition on its kinds of weakness. */
function namesWeakness(condition: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select from advisories where advisories.id = any (alerts.advisory_ids) and ${condition})`;
}

const isOverridden = sql<boolean>`exists (
  select from verdicts where verdicts.organisation_id = alerts.organisation_id and verdicts.alert_id = alerts.id
    and verdicts.override_verdict is not null
)`;

/** The filters by what is not known of every alert: the condition that it is not, and what it is. */
export const unknowns = {
  usage: { isUnknown: sql<boolean>`(alerts.usage is null or alerts.usage = 'not_analyzed')`, what: 'use' },
  band: { isUnknown: sql<boolean>`alerts.verdict_band is null`, what: 'verdict' },
  severity: { isUnknown: sql<boolean>`alerts.severity is null`, what: 'severity' },
  epss_min: { isUnknown: sql<boolean>`alerts.epss is null`, what: 'EPSS' },
  cwe: { isUnknown: sql<boolean>`not ${namesWeakness(sql`cwes <> '{}'`)}`, what: 'kind of weakness' },
} as const satisfies { readonly [Name in keyof ListInput]?: unknown };

/** One class as a range and with its index's first column in the order, as for bands. */
function isUsed(classes: readonly Usage[]): RawBuilder<boolean> {
  const [one, ...others] = classes;
  return others.length === 0
    ? sql<boolean>`(alerts.usage >= ${one} and alerts.usage <= ${one})`
    : sql<boolean>`alerts.usage = any (${[...classes]}::text[])`;
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
  const { kev, fixable, overridden } = input;
  const opposites = [
    ...(kev === false ? [{ ...input, kev: true }] : []),
    ...(fixable === true ? [{ ...input, fixable: false }] : []),
    ...(overridden === false ? [{ ...input, overridden: true }] : []),
  ];
  return uncountedConditions(input).length === 1 ? opposites[0] : undefined;
}

import { isDeepStrictEqual } from 'node:util';
import type { Tier } from '../../shared/vulnerability-terms.js';
import { type AlertFacts, type AlertIdentity, factColumns, identityColumns } from './alert-facts.js';

/** An alert in the database. */
export interface KnownAlert extends AlertFacts {
  readonly id: string;
  readonly resolved_at: Date | null;
}

export interface AlertChanges {
  readonly opened: readonly AlertFacts[];
  readonly reopened: readonly (AlertFacts & { readonly id: string })[];
  readonly updated: readonly (AlertFacts & { readonly id: string })[];
  /** The updated alerts that are newly in the catalogue of known exploited vulnerabilities. */
  readonly listed: readonly (AlertFacts & { readonly id: string })[];
  /** The updated alerts that have become RED, for example by their EPSS. */
  readonly raised: readonly (AlertFacts & { readonly id: string })[];
  /** The updated alerts that are in another tier than before. */
  readonly retiered: ReadonlyArray<{ readonly id: string; readonly before: Tier; readonly after: Tier }>;
  /** The unresolved alerts that nothing is wanted for any more. */
  readonly gone: readonly KnownAlert[];
}

/**
 * The changes from the known alerts to the wanted ones. Both lists are about the same packages.
 *
 * When an advisory gets its CVE later, the id of its alert changes. It stays the same alert, with its history, its
 * acknowledgement and the override of its verdict.
 */
export function alertChanges(known: readonly KnownAlert[], wanted: readonly AlertFacts[]): AlertChanges {
  const remaining = new Map(known.map((alert) => [keyOf(alert), alert]));
  const pairs = wanted.map((facts) => ({ facts, alert: remaining.get(keyOf(facts)) }));
  for (const { facts } of pairs) remaining.delete(keyOf(facts));
  const opened: AlertFacts[] = [];
  const reopened: (AlertFacts & { id: string })[] = [];
  const updated: (AlertFacts & { id: string })[] = [];
  const listed: (AlertFacts & { id: string })[] = [];
  const raised: (AlertFacts & { id: string })[] = [];
  const retiered: { id: string; before: Tier; after: Tier }[] = [];
  for (const { facts, alert = takeRenamed(remaining, facts) } of pairs) {
    if (alert === undefined) opened.push(facts);
    else if (alert.resolved_at !== null) reopened.push({ ...facts, id: alert.id });
    else if (!hasSameFacts(alert, facts)) {
      const update = { ...facts, id: alert.id };
      updated.push(update);
      if (alert.kev_added === null && facts.kev_added !== null) listed.push(update);
      if (alert.tier !== 'RED' && facts.tier === 'RED') raised.push(update);
      if (alert.tier !== facts.tier) retiered.push({ id: alert.id, before: alert.tier, after: facts.tier });
    }
  }
  const gone = [...remaining.values()].filter(({ resolved_at }) => resolved_at === null);
  return { opened, reopened, updated, listed, raised, retiered, gone };
}

/** Takes the package's unresolved alert that shares an advisory, but has another id, out of those that remain. */
function takeRenamed(remaining: Map<string, KnownAlert>, facts: AlertFacts): KnownAlert | undefined {
  for (const [key, alert] of remaining) {
    const isOfPackage = alert.ecosystem === facts.ecosystem && alert.package_name === facts.package_name;
    if (!isOfPackage || alert.resolved_at !== null) continue;
    if (alert.advisory_ids.some((id) => facts.advisory_ids.includes(id))) {
      remaining.delete(key);
      return alert;
    }
  }
  return undefined;
}

/** None of the three parts contains a space. */
function keyOf({ ecosystem, package_name, vulnerability_id }: AlertIdentity): string {
  return `${ecosystem} ${package_name} ${vulnerability_id}`;
}

function hasSameFacts(a: AlertFacts, b: AlertFacts): boolean {
  return [...identityColumns, ...factColumns].every((column) => isDeepStrictEqual(a[column], b[column]));
}

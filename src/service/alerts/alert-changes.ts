import { isDeepStrictEqual } from 'node:util';
import { type AlertFacts, type AlertIdentity, factColumns } from './alert-facts.js';

/** An alert as it stands in the database. */
export interface KnownAlert extends AlertFacts {
  readonly id: string;
  readonly resolved_at: Date | null;
}

export interface AlertChanges {
  readonly opened: readonly AlertFacts[];
  readonly reopened: readonly (AlertFacts & { readonly id: string })[];
  readonly updated: readonly (AlertFacts & { readonly id: string })[];
  /** Those of the updated that were not known to be exploited before, and are now. */
  readonly listed: readonly (AlertFacts & { readonly id: string })[];
  /** Ids. */
  readonly resolved: readonly string[];
}

/** What turns the known alerts into exactly the wanted ones. Both are all of the same packages. */
export function alertChanges(known: readonly KnownAlert[], wanted: readonly AlertFacts[]): AlertChanges {
  const remaining = new Map(known.map((alert) => [keyOf(alert), alert]));
  const opened: AlertFacts[] = [];
  const reopened: (AlertFacts & { id: string })[] = [];
  const updated: (AlertFacts & { id: string })[] = [];
  const listed: (AlertFacts & { id: string })[] = [];
  for (const facts of wanted) {
    const key = keyOf(facts);
    const alert = remaining.get(key);
    remaining.delete(key);
    if (alert === undefined) opened.push(facts);
    else if (alert.resolved_at !== null) reopened.push({ ...facts, id: alert.id });
    else if (!hasSameFacts(alert, facts)) {
      const update = { ...facts, id: alert.id };
      updated.push(update);
      if (alert.kev_added === null && facts.kev_added !== null) listed.push(update);
    }
  }
  const gone = [...remaining.values()].filter(({ resolved_at }) => resolved_at === null);
  return { opened, reopened, updated, listed, resolved: gone.map(({ id }) => id) };
}

/** None of the three holds a space. */
function keyOf({ ecosystem, package_name, vulnerability_id }: AlertIdentity): string {
  return `${ecosystem} ${package_name} ${vulnerability_id}`;
}

function hasSameFacts(a: AlertFacts, b: AlertFacts): boolean {
  return factColumns.every((column) => isDeepStrictEqual(a[column], b[column]));
}

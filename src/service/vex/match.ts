import type { OverrideVerdict } from '../../shared/vulnerability-terms.js';
import { type MatchedAlert, type Unit, unitsOf } from './alert-units.js';
import type { TargetedRow } from './prepare-rows.js';
import type { VexStatement } from './statement.js';

/** A verdict that a document's statements speak of with one voice, and the statement whose words the proposal takes. */
export interface Proposed {
  readonly alert: MatchedAlert;
  readonly verdict: OverrideVerdict;
  readonly row: TargetedRow;
}

export interface Matching {
  readonly proposed: readonly Proposed[];
  /** Verdicts that any statement speaks of, also one that proposes nothing. */
  readonly mentioned: ReadonlySet<string>;
  /** By statement. One without an entry is of none of the alerts. */
  readonly outcomes: ReadonlyMap<VexStatement, RowOutcome>;
}

export type RowOutcome = 'taken' | 'merged' | { readonly skipped: string };

/**
 * Matches a document's statements with a project's alerts.
 *
 * "Not affected" is proposed only where the statements together are of everything that the verdict is on: each installed
 * version and each CVE. "Affected" needs one of them.
 *
 * @param rowsOf the statements on an alert's vulnerability that may be of its package
 */
export function matchStatements(
  alerts: readonly MatchedAlert[],
  rowsOf: (alert: MatchedAlert) => readonly TargetedRow[],
): Matching {
  const proposed: Proposed[] = [];
  const mentioned = new Set<string>();
  const outcomes = new Map<VexStatement, RowOutcome>();
  const note = ({ statement: row }: TargetedRow, outcome: RowOutcome) => {
    const known = outcomes.get(row);
    const isBetter = known === undefined || outcome === 'taken' || (outcome === 'merged' && known !== 'taken');
    if (isBetter) outcomes.set(row, outcome);
  };
  for (const alert of alerts) {
    const touching = rowsOf(alert).flatMap((row) => {
      const found = unitsOf(row, alert);
      if (typeof found !== 'string') return [{ row, units: found }];
      note(row, { skipped: found });
      return [];
    });
    if (alert.verdictId !== null && touching.length > 0) mentioned.add(alert.verdictId);
    for (const [verdict, status] of [
      ['NotExploitable', 'not_affected'],
      ['Exploitable', 'affected'],
    ] as const) {
      const speaking = touching.filter(({ row }) => row.statement.status === status);
      const [first, ...others] = speaking;
      if (first === undefined) continue;
      const refusal = refusalOf(alert, verdict, speaking);
      if (refusal !== null) {
        for (const { row } of speaking) note(row, { skipped: refusal });
        continue;
      }
      proposed.push({ alert, verdict, row: first.row });
      note(first.row, 'taken');
      for (const { row } of others) note(row, 'merged');
    }
  }
  return { proposed, mentioned, outcomes };
}

/** Why statements that are of an alert propose nothing for its verdict; null where they do. */
function refusalOf(
  alert: MatchedAlert,
  verdict: OverrideVerdict,
  speaking: readonly { readonly units: readonly Unit[] }[],
): string | null {
  if (alert.isResolved) return 'its alert is resolved';
  if (alert.verdictId === null) return 'there is no verdict on it: upload a usage report, then this document again';
  if (alert.override === verdict) return `its verdict is overridden as ${verdict} already`;
  if (verdict === 'Exploitable') return null;
  const covered = new Set(speaking.flatMap(({ units }) => units.map(({ key }) => key)));
  const missing = alert.units.find(({ key }) => !covered.has(key));
  if (missing === undefined) return null;
  return `does not speak of ${missing.version} with ${missing.vulnerability}, which the verdict is on too`;
}

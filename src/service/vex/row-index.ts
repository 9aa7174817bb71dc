import { packageKey } from '../../shared/packages/package-name.js';
import type { MatchedAlert } from './alert-units.js';
import { type PreparedRow, type ProjectNames, type TargetedRow, targetOf } from './prepare-rows.js';
import type { VexStatement } from './statement.js';

/** Statements on one vulnerability in one package. More say nothing new, and each is compared with each alert. */
const maxRowsOfKey = 1_000;

/** A document's statements by vulnerability and package, and why others are of nothing in the project. */
export interface RowIndex {
  readonly rowsOf: (alert: MatchedAlert) => readonly TargetedRow[];
  /** By statement. */
  readonly untargeted: ReadonlyMap<VexStatement, string>;
}

/** Indexes the statements, so that each alert meets only those that can be of it. */
export function indexRows(rows: readonly PreparedRow[], project: ProjectNames): RowIndex {
  const byKey = new Map<string, TargetedRow[]>();
  const untargeted = new Map<VexStatement, string>();
  for (const row of rows) {
    const target = targetOf(row, project);
    if (typeof target === 'object' && 'refusal' in target) {
      untargeted.set(row.statement, target.refusal);
      continue;
    }
    const targeted = { ...row, target };
    const places = target === 'project' ? ['*'] : target.map(packageKey);
    const keys = new Set(row.ids.flatMap((id) => places.map((place) => keyOf(id, place))));
    for (const key of keys) {
      const known = byKey.get(key);
      if (known === undefined) byKey.set(key, [targeted]);
      else if (known.length < maxRowsOfKey) known.push(targeted);
      else untargeted.set(row.statement, `is one of more than ${maxRowsOfKey} on one vulnerability in one package`);
    }
  }
  return {
    untargeted,
    rowsOf(alert) {
      const places = ['*', packageKey(alert)];
      const keys = [...alert.names.keys()].flatMap((id) => places.map((place) => keyOf(id, place)));
      return [...new Set(keys.flatMap((key) => byKey.get(key) ?? []))];
    },
  };
}

/** None of the parts contains a line break: ids are one line, and names have no spaces. */
function keyOf(id: string, place: string): string {
  return `${id}\n${place}`;
}

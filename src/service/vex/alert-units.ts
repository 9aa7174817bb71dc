import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import type { OverrideVerdict } from '../../shared/vulnerability-terms.js';
import { isOfVersion } from './package-claim.js';
import type { TargetedRow } from './prepare-rows.js';

/** One installed version with one vulnerability: the smallest thing that a statement can be of. */
export interface Unit {
  readonly key: string;
  readonly vulnerability: string;
  readonly version: string;
}

/** An alert that a document names the vulnerability of. */
export interface MatchedAlert {
  readonly id: string;
  readonly ecosystem: Ecosystem;
  readonly package_name: string;
  readonly vulnerabilityId: string;
  readonly versions: readonly string[];
  readonly isResolved: boolean;
  readonly verdictId: string | null;
  readonly override: OverrideVerdict | null;
  /** For each id in lower case by which a document may name the vulnerability: what it covers of `vulnerabilities`. */
  readonly names: ReadonlyMap<string, readonly string[]>;
  /** Everything that the verdict is on. */
  readonly units: readonly Unit[];
}

/** The units of vulnerabilities and installed versions. */
export function allUnits(vulnerabilities: readonly string[], versions: readonly string[]): Unit[] {
  return vulnerabilities.flatMap((vulnerability) =>
    versions.map((version) => ({ key: JSON.stringify([vulnerability, version]), vulnerability, version })),
  );
}

/** The units of an alert that a statement is of, or why it is of none. */
export function unitsOf(row: TargetedRow, alert: MatchedAlert): readonly Unit[] | string {
  const { target, statement } = row;
  const named = new Set(row.ids.flatMap((id) => alert.names.get(id) ?? []));
  const ofVulnerability = alert.units.filter(({ vulnerability }) => named.has(vulnerability));
  if (target === 'project') return ofVulnerability;
  const claims = target.filter(
    ({ ecosystem, package_name }) => ecosystem === alert.ecosystem && package_name === alert.package_name,
  );
  if (claims.length === 0) return 'is of another package than the alerts on this vulnerability';
  const whole = statement.status === 'not_affected' ? claims.filter(({ narrowed }) => narrowed === null) : claims;
  const [narrow] = claims;
  if (whole.length === 0) return `is only of ${narrow?.narrowed ?? ''}, which a tech stack does not tell apart`;
  const units = ofVulnerability.filter(({ version }) => whole.some((claim) => isOfVersion(claim, version)));
  return units.length > 0
    ? units
    : `is of another version than ${alert.versions.slice(0, 3).join(', ')}, which is installed`;
}

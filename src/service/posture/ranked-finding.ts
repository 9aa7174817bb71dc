import type { Selectable } from 'kysely';
import { type RankedFinding, risk } from '../../procedures/risk.js';
import { printPurl } from '../../shared/packages/purl.js';
import { nameOf } from '../alerts/alert-row.js';
import { findingDetails } from '../containers/finding-details.js';
import type { Schema } from '../db/schema.js';
import { codeLocation } from '../sast/code-finding.js';

interface WithProject {
  readonly project_name: string;
}

export type RankedAlertRow = Selectable<Schema['alerts']> & WithProject;
export type RankedFindingRow = Selectable<Schema['findings']> & WithProject;

export function toRankedAlert(row: RankedAlertRow): RankedFinding {
  const [version = null, ...otherVersions] = row.versions;
  return {
    id: row.id,
    domain: 'dependencies',
    project: { id: row.project_id, name: row.project_name },
    risk: riskOf(row),
    title: row.title,
    tier: row.tier,
    severity: row.severity === 'moderate' ? 'medium' : (row.severity ?? 'unknown'),
    cve: row.vulnerability_id.startsWith('CVE-') ? row.vulnerability_id : null,
    package: printPurl({
      ecosystem: row.ecosystem,
      name: nameOf(row),
      version: otherVersions.length === 0 ? version : null,
    }),
    location: null,
    usage: row.usage,
    effective_priority: row.effective_priority,
    epss: row.epss,
    kev: row.kev_added !== null,
  };
}

export function toRankedFinding(row: RankedFindingRow): RankedFinding {
  return {
    id: row.id,
    domain: row.domain,
    project: { id: row.project_id, name: row.project_name },
    risk: riskOf(row),
    title: row.title,
    tier: row.tier,
    severity: row.severity,
    cve: row.cve,
    package: packageOf(row),
    location: locationOf(row),
    usage: null,
    effective_priority: null,
    epss: row.epss,
    kev: row.kev_added !== null,
  };
}

function riskOf({ id, risk: index }: Pick<RankedAlertRow, 'id' | 'risk'>): RankedFinding['risk'] {
  const named = risk.options[index ?? -1];
  if (named === undefined) throw new Error(`${id} is not ranked`);
  return named;
}

function packageOf(row: RankedFindingRow): string | null {
  if (row.domain !== 'containers') return null;
  const { name, version } = findingDetails.parse(row.details).package;
  return `${name}@${version}`;
}

/** File and line of a code finding; the site or image of others. */
function locationOf(row: RankedFindingRow): string {
  return row.domain === 'code' ? codeLocation(row) : row.source;
}

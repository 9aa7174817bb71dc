import { sql } from 'kysely';
import type { RankedFinding, RankedRisk } from '../../procedures/risk.js';
import type { Transaction } from '../db/database.js';

interface ImageUpgrade {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly fixed: string | null;
  readonly closes: number;
  readonly open: number;
}

/**
 * The findings of images, each with the upgrade that its report names. It closes the open findings of the image on the same
 * version of the package with the same fixed version: distributions order versions in ways that are not compared here.
 */
export async function imageUpgrades(
  tx: Transaction,
  organisationId: string,
  findings: readonly RankedFinding[],
): Promise<RankedRisk[]> {
  const { rows } = await sql<ImageUpgrade>`
    select given.id, given.details #>> '{package,name}' as name, given.details #>> '{package,version}' as version, given.details ->> 'fixed_version' as fixed,
      count(*) filter (where other.details ->> 'fixed_version' = given.details ->> 'fixed_version')::int as closes,
      count(*)::int as open
    from findings as given
    join findings as other on other.organisation_id = given.organisation_id and other.project_id = given.project_id
      and other.domain = given.domain and other.source = given.source and other.state = 'open'
      and other.details #> '{package,name}' = given.details #> '{package,name}'
      and other.details #> '{package,version}' = given.details #> '{package,version}'
    where given.organisation_id = ${organisationId} and given.id = any (${findings.map(({ id }) => id)}::text[])
    group by given.organisation_id, given.id, given.details`.execute(tx);
  const known = new Map(rows.map((row) => [row.id, row]));
  return findings.map((finding) => {
    const row = known.get(finding.id);
    if (row === undefined) return { ...finding, fix: null };
    const { name, version, fixed: to, closes, open } = row;
    const nowhere = { scope: null, direct: null, priority: null };
    return { ...finding, fix: { package: name, from: [version], to, ...nowhere, closes, leaves: open - closes } };
  });
}

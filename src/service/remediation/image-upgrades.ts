import { sql } from 'kysely';
import type { RankedFinding, RankedRisk } from '../../procedures/risk.js';
import { isFixedVersion, isPackageName, isVersion } from '../../shared/text/grammars.js';
import { type FindingDetails, findingDetails } from '../containers/finding-details.js';
import { layerOf } from '../containers/layer-of.js';
import type { Transaction } from '../db/database.js';

interface ImageFinding {
  readonly id: string;
  readonly details: unknown;
  readonly base_layers: number | null;
  readonly closes: number;
  readonly open: number;
}

/** Name and version of a finding's package. */
const installedSql = sql`(details -> 'package') - 'type'`;

/**
 * The findings of images, each with the upgrade that its report names. It closes the open findings of the image on the same
 * version of the package with the same fixed version: distributions order versions in ways that are not compared here.
 */
export async function imageUpgrades(
  tx: Transaction,
  organisationId: string,
  findings: readonly RankedFinding[],
): Promise<RankedRisk[]> {
  const { rows } = await sql<ImageFinding>`
    with given as materialized (
      select * from findings where organisation_id = ${organisationId} and id = any (${findings.map(({ id }) => id)}::text[])
    ),
    -- One pass over each image, whatever the number of its packages.
    counted as materialized (
      select project_id, source, ${installedSql} as installed, details ->> 'fixed_version' as fixed, count(*)::int as count
      from findings
      where organisation_id = ${organisationId} and domain = 'containers' and state_rank = 0
        and (project_id, source) in (select project_id, source from given)
        and details #> '{package,name}' in (select details #> '{package,name}' from given)
      group by project_id, source, ${installedSql}, details ->> 'fixed_version'
    )
    select given.id, given.details, image.base_layers, summed.open, summed.closes
    from given
    left join container_images as image on image.organisation_id = given.organisation_id
      and image.project_id = given.project_id and image.ref = given.source
    cross join lateral (
      select coalesce(sum(count), 0)::int as open,
        coalesce(sum(count) filter (where fixed = given.details ->> 'fixed_version'), 0)::int as closes
      from counted
      where counted.project_id = given.project_id and counted.source = given.source
        and counted.installed = (given.details -> 'package') - 'type'
    ) as summed`.execute(tx);
  const known = new Map(rows.map((row) => [row.id, row]));
  return findings.map((finding) => {
    const row = known.get(finding.id);
    return { ...finding, fix: row === undefined ? null : fixOf(row, findingDetails.parse(row.details)) };
  });
}

const scopeOf = { base_image: 'base_image', own: 'own_layer', unknown: null } as const;

/** Null where the report's words are no names and versions: what they say is no upgrade. */
function fixOf({ base_layers, closes, open }: ImageFinding, found: FindingDetails): RankedRisk['fix'] {
  const { package: installed, fixed_version: to } = found;
  if (!isPackageName(installed.name) || !isVersion(installed.version) || (to !== null && !isFixedVersion(to)))
    return null;
  return {
    package: installed.name,
    steps: [{ from: installed.version, to, status: null, direct: null }],
    more: 0,
    scope: scopeOf[layerOf(found.layers, base_layers)],
    closes,
    leaves: open - closes,
    priority: null,
  };
}

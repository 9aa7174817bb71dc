import { sql } from 'kysely';
import type { RankedFinding, RankedRisk } from '../../procedures/risk.js';
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
    select given.id, given.details, image.base_layers, counted.closes, counted.open
    from findings as given
    left join container_images as image on image.organisation_id = given.organisation_id
      and image.project_id = given.project_id and image.ref = given.source
    cross join lateral (
      select count(*)::int as open,
        count(*) filter (where other.details ->> 'fixed_version' = given.details ->> 'fixed_version')::int as closes
      from findings as other
      where other.organisation_id = given.organisation_id and other.project_id = given.project_id
        and other.domain = given.domain and other.source = given.source and other.state_rank = 0
        and other.details #> '{package,name}' = given.details #> '{package,name}'
        and other.details #> '{package,version}' = given.details #> '{package,version}'
    ) as counted
    where given.organisation_id = ${organisationId} and given.id = any (${findings.map(({ id }) => id)}::text[])`.execute(
    tx,
  );
  const known = new Map(rows.map((row) => [row.id, row]));
  return findings.map((finding) => {
    const row = known.get(finding.id);
    return { ...finding, fix: row === undefined ? null : fixOf(row, findingDetails.parse(row.details)) };
  });
}

const scopeOf = { base_image: 'base_image', own: 'own_layer', unknown: null } as const;

function fixOf({ base_layers, closes, open }: ImageFinding, found: FindingDetails): RankedRisk['fix'] {
  return {
    package: found.package.name,
    steps: [{ from: found.package.version, to: found.fixed_version, direct: null }],
    more: 0,
    scope: scopeOf[layerOf(found.layers, base_layers)],
    closes,
    leaves: open - closes,
    priority: null,
  };
}

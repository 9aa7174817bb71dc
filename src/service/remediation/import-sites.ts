import { sql } from 'kysely';
import { planLimits } from '../../procedures/remediation.js';
import type { Transaction } from '../db/database.js';

interface Sites {
  readonly total: number;
  readonly first: string[];
}

/** Where the source imports the packages of the alerts, by the alert's id. An alert without a verdict is not in it. */
export async function importSites(
  tx: Transaction,
  organisationId: string,
  alertIds: readonly string[],
): Promise<ReadonlyMap<string, Sites>> {
  const rows = await tx
    .selectFrom('verdicts')
    .select(['alert_id', sql<number>`(evidence #>> '{usage,siteCount}')::int`.as('total')])
    .select(
      sql<string[]>`(
        select coalesce(json_agg((site ->> 'file') || ':' || (site ->> 'line') order by place), '[]'::json)
        from jsonb_array_elements(evidence #> '{usage,sites}') with ordinality as each (site, place)
        where place <= ${planLimits.sites}
      )`.as('first'),
    )
    .where('organisation_id', '=', organisationId)
    .where(sql<boolean>`alert_id = any (${[...alertIds]}::text[])`)
    .execute();
  return new Map(rows.map(({ alert_id, ...sites }) => [alert_id, sites]));
}

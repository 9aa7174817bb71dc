import type * as z from 'zod';
import type { Coverage } from '../../procedures/coverage.js';
import type { reachability } from '../../procedures/reachability.js';
import { isAboutCve } from '../alerts/about-cve.js';
import { isResolved } from '../alerts/alert-row.js';
import type { Context } from '../api/handler.js';
import { coverageWith } from '../coverage/domain-coverage.js';
import { inScope } from '../db/scope.js';

type ListInput = z.output<typeof reachability.listVerdicts.input>;

/** What stands behind a list of verdicts without rows. Without a usage report, alerts have no verdict at all. */
export async function verdictCoverage(
  { tx, organisationId, now }: Context,
  { project_id: projectId, cve }: ListInput,
): Promise<Coverage> {
  const scope = { organisationId, projectId };
  const { open } = await tx
    .selectFrom('alerts')
    .select((alert) => alert.fn.countAll<number>().as('open'))
    .where(inScope(scope))
    .where(isResolved.no)
    .$if(cve !== undefined, (query) => query.where(isAboutCve(cve ?? '')))
    .executeTakeFirstOrThrow();
  const report = await tx.selectFrom('usage_reports').select('id').where(inScope(scope)).limit(1).executeTakeFirst();
  const gaps = [
    ...(report === undefined ? ['no usage report has been uploaded: alerts have no verdict'] : []),
    ...(cve === undefined ? [] : [`no verdict is about ${cve}: find_exposed says what was searched for it`]),
  ];
  return coverageWith(tx, { scope, domain: 'dependencies' }, { open, gaps }, now);
}

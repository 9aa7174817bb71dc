import { sql } from 'kysely';
import type { Coverage } from '../../procedures/coverage.js';
import { formatCount } from '../../shared/text/number-text.js';
import { isAboutVulnerability } from '../alerts/about-vulnerability.js';
import { isResolved } from '../alerts/alert-row.js';
import type { Context } from '../api/handler.js';
import { countFindings, isOpen, totalOf } from '../counts/finding-counts.js';
import { coverageWith } from '../coverage/domain-coverage.js';
import type { Transaction } from '../db/database.js';
import { isListed, isProjectOf, type Scope } from '../db/scope.js';

/** What stands behind a list of verdicts without rows. Without a usage report, alerts have no verdict at all. */
export async function verdictCoverage({ tx, now }: Context, scope: Scope, cve: string | undefined): Promise<Coverage> {
  const open =
    cve === undefined
      ? totalOf(await countFindings(tx, scope, 'dependencies'), isOpen)
      : await countAbout(tx, scope, cve);
  const gaps = [
    ...(await unanalyzedGaps(tx, scope)),
    ...(cve === undefined ? [] : [`no verdict is about ${cve}: find_exposed says what was searched for it`]),
  ];
  return coverageWith(tx, { scope, domain: 'dependencies' }, { open, gaps }, now);
}

async function countAbout(tx: Transaction, scope: Scope, cve: string): Promise<number> {
  const { open } = await tx
    .selectFrom('alerts')
    .select((alert) => alert.fn.countAll<number>().as('open'))
    .where(isListed(scope))
    .where(isResolved.no)
    .where(isAboutVulnerability(cve))
    .executeTakeFirstOrThrow();
  return open;
}

/** Projects whose alerts have no verdict. */
async function unanalyzedGaps(tx: Transaction, scope: Scope): Promise<string[]> {
  const { rows } = await sql<{ projects: number; analyzed: number }>`
    select count(*)::integer as projects, count(report.found)::integer as analyzed from projects
    left join lateral (
      select true as found from usage_reports as report
      where report.organisation_id = projects.organisation_id and report.project_id = projects.id limit 1
    ) as report on true
    where ${isProjectOf(scope)}`.execute(tx);
  const { projects, analyzed } = rows[0] ?? { projects: 0, analyzed: 0 };
  if (analyzed === 0) return ['no usage report has been uploaded: alerts have no verdict'];
  const missing = projects - analyzed;
  if (missing === 0) return [];
  return [
    `${formatCount(missing)} of ${formatCount(projects)} projects have no usage report: their alerts have no verdict`,
  ];
}

import { sql } from 'kysely';
import type * as z from 'zod';
import type { Coverage } from '../../procedures/coverage.js';
import type { reachability } from '../../procedures/reachability.js';
import { formatCount } from '../../shared/text/number-text.js';
import { alertsCoverage } from '../alerts/list-coverage.js';
import type { Context } from '../api/handler.js';
import { countFindings, isOpen, totalOf } from '../counts/finding-counts.js';
import { coverageWith } from '../coverage/coverage.js';
import type { Transaction } from '../db/database.js';
import { isProjectOf, type Scope } from '../db/scope.js';

type Filters = Omit<z.output<typeof reachability.listVerdicts.input>, 'project_id' | 'group'>;

/** Answers the coverage of a list of verdicts without rows. Without a usage report, alerts have no verdict at all. */
export async function verdictCoverage({ tx, now }: Context, scope: Scope, input: Filters): Promise<Coverage> {
  const { exposure, ...filters } = input;
  const unanalyzed = await unanalyzedGaps(tx, scope);
  const isFiltered = [exposure, filters.cve, filters.band, filters.usage, filters.overridden].some(
    (filter) => filter !== undefined,
  );
  if (isFiltered) {
    const undeclared = exposure === undefined ? [] : await undeclaredGaps(tx, scope);
    return alertsCoverage({ tx, now }, scope, filters, [...unanalyzed, ...undeclared]);
  }
  const open = totalOf(await countFindings(tx, scope, 'dependencies'), isOpen);
  return coverageWith(tx, { scope, domain: 'dependencies' }, { open, gaps: unanalyzed }, now);
}

/** Projects of which nobody has said how far they can be reached. */
async function undeclaredGaps(tx: Transaction, scope: Scope): Promise<string[]> {
  const { projects } = await tx
    .selectFrom('projects')
    .select((row) => row.fn.countAll<number>().as('projects'))
    .where(isProjectOf(scope))
    .where('exposure', '=', 'unknown')
    .executeTakeFirstOrThrow();
  if (projects === 0) return [];
  return [`${formatCount(projects)} ${projects === 1 ? 'project has' : 'projects have'} no declared exposure`];
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

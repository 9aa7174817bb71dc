import { sql } from 'kysely';
import type * as z from 'zod';
import type { reachability } from '../../procedures/reachability.js';
import { isAboutVulnerability } from '../alerts/about-vulnerability.js';
import { isResolved } from '../alerts/alert-row.js';
import { alertsByUrgency } from '../alerts/list-alerts.js';
import type { Context } from '../api/handler.js';
import { countFindings, type FindingCount, isOpen, totalOf } from '../counts/finding-counts.js';
import type { Transaction } from '../db/database.js';
import { isListed, type Scope } from '../db/scope.js';
import type { List } from '../http/list-order.js';
import { answerPage, isNew, pageOfRows } from '../http/page.js';
import { requireAsked } from '../projects/find-project.js';
import { listScope, narrowed } from '../projects/list-scope.js';
import { nameProjects } from '../projects/name-projects.js';
import { verdictCoverage } from './verdict-coverage.js';
import { alertColumns, evidenceSources, toVerdict, verdictsOf } from './verdict-row.js';

type ListInput = z.output<typeof reachability.listVerdicts.input>;

/** One page of the verdicts on unresolved alerts, highest EffectivePriority first; equal ones as alerts are ordered. */
export async function listVerdicts(ctx: Context, input: ListInput) {
  const { organisationId } = ctx;
  const { cve, band, usage, exposure } = input;
  const asked = await listScope(ctx, input);
  // Those of projects that their team has declared so.
  const isExposed = sql<boolean>`projects.exposure = ${exposure}`;
  const scope = exposure === undefined ? asked : await narrowed(ctx.tx, asked, isExposed);
  const filtered = verdictsOf(ctx.tx, scope)
    .where(isResolved.no)
    .$if(cve !== undefined, (query) => query.where(isAboutVulnerability(cve ?? '')))
    .$if(band !== undefined, (query) => query.where(sql<boolean>`alerts.verdict_band = ${band}`))
    .$if(usage !== undefined, (query) => query.where(sql<boolean>`alerts.usage = ${usage}`));
  const rows = pageOfRows(listOf(scope), input, filtered.selectAll('verdicts').select(alertColumns));
  const [total, found] = await Promise.all([
    countVerdicts(ctx.tx, scope, input),
    rows.execute(),
    requireAsked(ctx, input.project_id),
  ]);
  const page = await answerPage(ctx, input, total, found);
  const projects = page.items.map(({ project_id }) => project_id);
  const sourcesOf = await evidenceSources(ctx.tx, organisationId, projects);
  const projectOf = await nameProjects(ctx, input.project_id, page.items);
  return {
    ...page,
    items: page.items.map((row) => ({ ...toVerdict(row, sourcesOf(row.project_id)), ...projectOf(row) })),
    coverage: total > 0 ? null : await verdictCoverage(ctx, asked, input.cve),
  };
}

/** As alerts: a verdict is new with its alert. Where all are unresolved, that is still the first column of the index of this order. */
const listOf = (scope: Scope): List => alertsByUrgency(scope, undefined);

/** How many pass the filters: by the counts that the database keeps, or else by the columns that alerts have of verdicts. */
async function countVerdicts(tx: Transaction, scope: Scope, input: ListInput): Promise<number> {
  const { cve, band, usage } = input;
  const isMeant = isNew(listOf(scope), input);
  if (cve === undefined && usage === undefined && isMeant === undefined) {
    const counts = await countFindings(tx, scope, 'dependencies');
    return totalOf(counts, (kind) => isOpen(kind) && hasVerdict(kind, band));
  }
  const { total } = await tx
    .selectFrom('alerts')
    .select((row) => row.fn.countAll<number>().as('total'))
    .where(isListed(scope))
    // In the words of the index `alerts_by_usage`. What has a usage has a verdict.
    .where('resolved_at', 'is', null)
    .$if(usage !== undefined, (query) => query.where('usage', 'is not', null).where('usage', '=', usage ?? null))
    .$if(usage === undefined, (query) => query.where('verdict_band', 'is not', null))
    .$if(band !== undefined, (query) => query.where(sql<boolean>`verdict_band = ${band}`))
    .$if(cve !== undefined, (query) => query.where(isAboutVulnerability(cve ?? '')))
    .$if(isMeant !== undefined, (query) => query.where(isMeant ?? sql<boolean>`true`))
    .executeTakeFirstOrThrow();
  return total;
}

/** Whether alerts of this kind have a verdict, and in the requested band. */
function hasVerdict(kind: FindingCount, band: ListInput['band']): boolean {
  return kind.band !== 'unanalyzed' && (band === undefined || kind.band === band);
}

import { sql } from 'kysely';
import type * as z from 'zod';
import type { reachability } from '../../procedures/reachability.js';
import { isAboutVulnerability } from '../alerts/about-vulnerability.js';
import { isResolved } from '../alerts/alert-row.js';
import { urgency } from '../alerts/list-alerts.js';
import type { Context } from '../api/handler.js';
import { countFindings, type FindingCount, isOpen, totalOf } from '../counts/finding-counts.js';
import { offsetOf, pageAnswer } from '../http/page.js';
import { requireAsked } from '../projects/find-project.js';
import { nameProjects } from '../projects/name-projects.js';
import { verdictCoverage } from './verdict-coverage.js';
import { alertColumns, evidenceSources, toVerdict, verdictsOf } from './verdict-row.js';

type ListInput = z.output<typeof reachability.listVerdicts.input>;

/** One page of the verdicts on unresolved alerts, highest EffectivePriority first; equal ones as alerts are ordered. */
export async function listVerdicts(ctx: Context, input: ListInput) {
  const { organisationId } = ctx;
  const scope = { organisationId, projectId: input.project_id };
  const { cve, band, usage, exposure } = input;
  const filtered = verdictsOf(ctx.tx, scope)
    .where(isResolved.no)
    .$if(cve !== undefined, (query) => query.where(isAboutVulnerability(cve ?? '')))
    .$if(band !== undefined, (query) => query.where(sql<boolean>`alerts.verdict_band = ${band}`))
    .$if(usage !== undefined, (query) => query.where(sql<boolean>`alerts.usage = ${usage}`))
    .$if(exposure !== undefined, (query) => query.where(isExposed(organisationId, exposure)));
  const isCounted = cve === undefined && usage === undefined && exposure === undefined;
  const count = async () =>
    isCounted
      ? totalOf(await countFindings(ctx.tx, scope, 'dependencies'), (kind) => isOpen(kind) && hasVerdict(kind, band))
      : (await filtered.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()).total;
  const page = filtered
    .selectAll('verdicts')
    .select(alertColumns)
    // Equal for all rows, but the first column of the index that gives this order.
    .orderBy(sql`(alerts.resolved_at is not null)`)
    .orderBy('alerts.effective_priority', (order) => order.desc().nullsLast())
    .orderBy(urgency)
    // Between two projects with the same alert.
    .$if(input.project_id === undefined, (query) => query.orderBy('alerts.id'))
    .limit(input.page_size)
    .offset(offsetOf(input));
  const [total, rows] = await Promise.all([count(), page.execute(), requireAsked(ctx, input.project_id)]);
  const projects = rows.map(({ project_id }) => project_id);
  const sourcesOf = await evidenceSources(ctx.tx, organisationId, projects);
  const projectOf = await nameProjects(ctx, input.project_id, rows);
  const verdicts = rows.map((row) => ({ ...toVerdict(row, sourcesOf(row.project_id)), ...projectOf(row) }));
  return { ...pageAnswer(input, total, verdicts), coverage: total > 0 ? null : await verdictCoverage(ctx, input) };
}

/** Of a project that its team has declared so. */
function isExposed(organisationId: string, exposure: ListInput['exposure']) {
  return sql<boolean>`alerts.project_id in (
    select id from projects where organisation_id = ${organisationId} and exposure = ${exposure}
  )`;
}

/** Whether alerts of this kind have a verdict, and in the requested band. */
function hasVerdict(kind: FindingCount, band: ListInput['band']): boolean {
  return kind.band !== 'unanalyzed' && (band === undefined || kind.band === band);
}

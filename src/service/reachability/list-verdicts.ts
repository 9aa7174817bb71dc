import { sql } from 'kysely';
import type * as z from 'zod';
import type { reachability } from '../../procedures/reachability.js';
import { isAboutVulnerability } from '../alerts/about-vulnerability.js';
import { isResolved } from '../alerts/alert-row.js';
import { urgency } from '../alerts/list-alerts.js';
import type { Context } from '../api/handler.js';
import { countFindings, type FindingCount, isOpen, totalOf } from '../counts/finding-counts.js';
import { offsetOf, pageAnswer } from '../http/page.js';
import { findProject } from '../projects/find-project.js';
import { verdictCoverage } from './verdict-coverage.js';
import { alertColumns, evidenceSources, toVerdict, verdictsOf } from './verdict-row.js';

type ListInput = z.output<typeof reachability.listVerdicts.input>;

/** One page of the verdicts on unresolved alerts, highest EffectivePriority first; equal ones as alerts are ordered. */
export async function listVerdicts(ctx: Context, input: ListInput) {
  const key = { organisationId: ctx.organisationId, projectId: input.project_id };
  const { cve, band } = input;
  const filtered = verdictsOf(ctx.tx, key)
    .where(isResolved.no)
    .$if(cve !== undefined, (query) => query.where(isAboutVulnerability(cve ?? '')))
    .$if(band !== undefined, (query) => query.where(sql<boolean>`alerts.verdict_band = ${band}`));
  const count = async () =>
    cve === undefined
      ? totalOf(await countFindings(ctx.tx, key, 'dependencies'), (kind) => isOpen(kind) && hasVerdict(kind, band))
      : (await filtered.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()).total;
  const page = filtered
    .selectAll('verdicts')
    .select(alertColumns)
    // Equal for all rows, but the first column of the index that gives this order.
    .orderBy(sql`(alerts.resolved_at is not null)`)
    .orderBy('alerts.effective_priority', (order) => order.desc().nullsLast())
    .orderBy(urgency)
    .limit(input.page_size)
    .offset(offsetOf(input));
  const [total, rows, sources] = await Promise.all([
    count(),
    page.execute(),
    evidenceSources(ctx.tx, key),
    findProject(ctx, input.project_id),
  ]);
  const verdicts = rows.map((row) => toVerdict(row, sources));
  return { ...pageAnswer(input, total, verdicts), coverage: total > 0 ? null : await verdictCoverage(ctx, input) };
}

/** Whether alerts of this kind have a verdict, and in the requested band. */
function hasVerdict(kind: FindingCount, band: ListInput['band']): boolean {
  return kind.band !== 'unanalyzed' && (band === undefined || kind.band === band);
}

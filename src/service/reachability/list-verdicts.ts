import { type RawBuilder, sql } from 'kysely';
import type * as z from 'zod';
import type { reachability } from '../../procedures/reachability.js';
import { uncountedConditions } from '../alerts/alert-filters.js';
import { isResolved } from '../alerts/alert-row.js';
import { isAboutVulnerability } from '../alerts/find-alert.js';
import { alertsByUrgency } from '../alerts/list-alerts.js';
import type { Context } from '../api/handler.js';
import { countFindings, type FindingCount, isOpen, totalOf } from '../counts/finding-counts.js';
import type { Transaction } from '../db/database.js';
import { isListed, type Scope } from '../db/scope.js';
import { all, type Conditions, conditionsOf, type FiltersOf } from '../http/filters.js';
import type { List } from '../http/list-order.js';
import { answerPage, asOf, isNew, pageOfRows } from '../http/page.js';
import { requireAsked } from '../projects/find-project.js';
import { listScope, nameProjects, narrowed } from '../projects/list-scope.js';
import { verdictCoverage } from './verdict-coverage.js';
import { alertColumns, evidenceSources, toVerdict, verdictsOf } from './verdict-row.js';

type ListInput = z.output<typeof reachability.listVerdicts.input>;

/** One page of the verdicts on unresolved alerts, highest EffectivePriority first; equal ones as alerts are ordered. */
export async function listVerdicts(ctx: Context, input: ListInput) {
  const { organisationId } = ctx;
  const { exposure } = input;
  const asked = await listScope(ctx, input);
  // Those of projects that their team has declared so.
  const isExposed = sql<boolean>`projects.exposure = ${exposure}`;
  const scope = exposure === undefined ? asked : await narrowed(ctx.tx, asked, isExposed);
  const filtered = verdictsOf(ctx.tx, scope)
    .where(isResolved.no)
    .where(all(conditionsOf(conditions, input)));
  const rows = pageOfRows(listOf(scope), input, filtered.selectAll('verdicts').select(alertColumns));
  const [as_of, total, found] = await Promise.all([
    asOf(ctx, input),
    countVerdicts(ctx.tx, scope, input),
    rows.execute(),
    requireAsked(ctx, input.project_id),
  ]);
  const page = answerPage(ctx, input, { as_of, total, rows: found });
  const projects = page.items.map(({ project_id }) => project_id);
  const sourcesOf = await evidenceSources(ctx.tx, organisationId, projects);
  const projectOf = await nameProjects(ctx, input.project_id, page.items);
  return {
    ...page,
    items: page.items.map((row) => ({ ...toVerdict(row, sourcesOf(row.project_id)), ...projectOf(row) })),
    coverage: total > 0 ? null : await verdictCoverage(ctx, asked, input),
  };
}

/** As alerts: a verdict is new with its alert. Where all are unresolved, that is still the first column of the index of this order. */
const listOf = (scope: Scope): List => alertsByUrgency(scope, undefined);

/** The conditions of the filters, on columns of alerts. `exposure` narrows the scope. */
const conditions: Conditions<FiltersOf<ListInput>> = {
  cve: isAboutVulnerability,
  band: (band) => sql<boolean>`alerts.verdict_band = ${band}`,
  usage: isOneOf,
  exposure: () => undefined,
  overridden: (there) => all(uncountedConditions({ overridden: there })),
};

function isOneOf(usage: NonNullable<ListInput['usage']>): RawBuilder<boolean> {
  const [one, ...others] = usage;
  return others.length === 0
    ? sql<boolean>`alerts.usage = ${one}`
    : sql<boolean>`alerts.usage = any (${usage}::text[])`;
}

/** How many pass the filters: by the counts that the database keeps, or else by the columns that alerts have of verdicts. */
async function countVerdicts(tx: Transaction, scope: Scope, input: ListInput): Promise<number> {
  const { cve, band, usage, overridden } = input;
  const isMeant = isNew(listOf(scope), input);
  if ([cve, usage, overridden, isMeant].every((filter) => filter === undefined)) {
    const counts = await countFindings(tx, scope, 'dependencies');
    return totalOf(counts, (kind) => isOpen(kind) && hasVerdict(kind, band));
  }
  const { total } = await tx
    .selectFrom('alerts')
    .select((row) => row.fn.countAll<number>().as('total'))
    .where(isListed(scope))
    // In the words of the index `alerts_by_usage`. What has a usage has a verdict.
    .where('resolved_at', 'is', null)
    .where(usage === undefined ? 'verdict_band' : 'usage', 'is not', null)
    .where(all(conditionsOf(conditions, input)))
    .where(isMeant ?? sql<boolean>`true`)
    .executeTakeFirstOrThrow();
  return total;
}

/** Whether alerts of this kind have a verdict, and in the requested band. */
function hasVerdict(kind: FindingCount, band: ListInput['band']): boolean {
  return kind.band !== 'unanalyzed' && (band === undefined || kind.band === band);
}

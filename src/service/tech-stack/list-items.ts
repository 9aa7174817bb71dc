import { sql } from 'kysely';
import type * as z from 'zod';
import type { techStack } from '../../procedures/tech-stack.js';
import { formatCount } from '../../shared/text/number-text.js';
import type { Context, Handlers } from '../api/handler.js';
import { type FilterGaps, listCoverage } from '../coverage/coverage.js';
import { isListed, type Scope } from '../db/scope.js';
import type { Licence } from '../db/tables/projects.js';
import { all, type Conditions, conditionsOf, type FiltersOf } from '../http/filters.js';
import { key, type List } from '../http/list-order.js';
import { loadPage, withItems } from '../http/page.js';
import { namedLike } from '../packages/named-like.js';
import { requireAsked } from '../projects/find-project.js';
import { listScope, nameProjects } from '../projects/list-scope.js';
import { isAtRisk } from './at-risk.js';
import { bringers } from './bringers.js';
import { broughtIn } from './brought-in.js';
import { countAlertsOf } from './item-alerts.js';
import { toItems } from './item-row.js';

export const itemsByName: List = {
  keys: [key('item.name', 'text'), key('item.version', 'text'), key('item.id', 'text')],
  appeared: sql`item.added_at`,
  changed: (since) => sql<boolean>`item.updated_at >= ${since}`,
};

/** Over several projects, each by itself: `tech_stack_items_by_name` has this order. */
const itemsByProject: List = { ...itemsByName, keys: [key('item.project_id', 'text'), ...itemsByName.keys] };

type Filters = FiltersOf<z.output<typeof techStack.list.input>>;

/** One page of tracked packages, by project and name, each with its unresolved alerts. */
export const listItems: Handlers['techStack']['list'] = async (ctx, input) => {
  const { tx, organisationId } = ctx;
  const scope = await listScope(ctx, input);
  const wanted = await filtered(ctx, scope, input);
  const [page] = await Promise.all([
    loadPage(ctx, itemsByProject, input, wanted.selectAll()),
    requireAsked(ctx, input.project_id),
  ]);
  const { total, items: rows } = page;
  const [items, alerts, bringerOf, projectOf] = await Promise.all([
    toItems(tx, rows),
    countAlertsOf(tx, organisationId, rows),
    // One package has few rows; to read the graphs of all would take others' time.
    input.package === undefined ? undefined : bringers(tx, organisationId, rows),
    nameProjects(ctx, input.project_id, rows),
  ]);
  const none = { red: 0, yellow: 0, green: 0 };
  const answers = rows.map((row, place) => {
    const item = items[place];
    const introduced = bringerOf === undefined ? {} : { introduced_by: bringerOf(row) };
    const licences = row.licences.map(textOf);
    return item && { ...item, licences, ...introduced, alerts: alerts[place] ?? none, ...projectOf(row) };
  });
  const asked = { scope, domain: 'dependencies' } as const;
  const coverage = await listCoverage(tx, total, asked, ctx.now, () => filterGaps(ctx, scope, input));
  return { ...withItems(page, answers), coverage };
};

/** The tracked packages that pass the filters. */
async function filtered({ tx }: Context, scope: Scope, filters: Filters) {
  const { package: part, introduced_by } = filters;
  const isNamed = part === undefined ? undefined : await namedLike(tx, 'item', part);
  const ids = introduced_by === undefined ? [] : await broughtIn(tx, scope, introduced_by);
  const conditions: Conditions<Filters> = {
    package: () => isNamed,
    version: (version) => sql<boolean>`item.version = ${version}`,
    introduced_by: () => sql<boolean>`item.id = any (${ids}::text[])`,
    licence: isLicensed,
    ecosystem: (ecosystem) => sql<boolean>`item.ecosystem = ${ecosystem}`,
    scope: (use) => sql<boolean>`item.scope = ${use}`,
    direct: (direct) => sql<boolean>`item.direct = ${direct}`,
    at_risk: (atRisk) => sql<boolean>`${isAtRisk(scope, 'health or alerts')} = ${atRisk}`,
  };
  return tx
    .selectFrom('tech_stack_items as item')
    .where(isListed(scope, 'item'))
    .where(all(conditionsOf(conditions, filters)));
}

/** A part of a licence's id, name or expression, in any case. The first condition is that of the index of those that have any. */
function isLicensed(part: string) {
  return sql<boolean>`(item.licences <> '[]' and exists (
    select from jsonb_array_elements(item.licences) as licence
    cross join lateral jsonb_each_text(licence) as named (kind, text)
    where position(lower(${part}) in lower(named.text)) > 0
  ))`;
}

function textOf(licence: Licence): string {
  if ('id' in licence) return licence.id;
  return 'name' in licence ? licence.name : licence.expression;
}

/** Names what a list without rows cannot say: whether it is a package at all, and what sources do not tell of theirs. */
async function filterGaps(ctx: Context, scope: Scope, filters: Filters): Promise<FilterGaps> {
  const { package: part, introduced_by, licence, direct } = filters;
  const isThere = async (name: string | undefined) =>
    name === undefined || (await countOf(ctx, scope, { package: name })) > 0;
  const unknown = (await isThere(part)) ? ((await isThere(introduced_by)) ? undefined : introduced_by) : part;
  const gaps = unknown === undefined ? [] : [`no tracked package is named like ${unknown}`];
  const others = { ...filters, licence: undefined, direct: undefined, introduced_by: undefined };
  const missing = [
    ...(licence === undefined ? [] : [{ of: sql<boolean>`item.licences = '[]'`, what: 'licence' }]),
    ...(direct === undefined ? [] : [{ of: sql<boolean>`item.direct is null`, what: 'place in the graph' }]),
    ...(introduced_by === undefined
      ? []
      : [{ of: sql<boolean>`item.dependencies_known is distinct from 'complete'`, what: 'list of dependencies' }]),
  ];
  for (const { of, what } of missing) {
    const count = await countOf(ctx, scope, others, of);
    if (count > 0) gaps.push(`${formatCount(count)} ${count === 1 ? 'package has' : 'packages have'} no known ${what}`);
  }
  return { gaps, known: unknown === undefined };
}

async function countOf(ctx: Context, scope: Scope, filters: Filters, of = sql<boolean>`true`): Promise<number> {
  const query = await filtered(ctx, scope, filters);
  const { total } = await query
    .where(of)
    .select((row) => row.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

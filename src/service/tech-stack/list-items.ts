import { sql } from 'kysely';
import type { Handlers } from '../api/handler.js';
import { listCoverage } from '../coverage/domain-coverage.js';
import { inScope } from '../db/scope.js';
import { key, type List } from '../http/list-order.js';
import { loadPage } from '../http/page.js';
import { findProject } from '../projects/find-project.js';
import { isAtRisk } from './at-risk.js';
import { countAlertsOf } from './item-alerts.js';
import { toItems } from './item-row.js';

export const itemsByName: List = {
  keys: [key('item.name', 'text'), key('item.version', 'text'), key('item.id', 'text')],
  appeared: sql`item.added_at`,
  changed: (since) => sql<boolean>`item.updated_at >= ${since}`,
};

/** One page of a project's tracked packages, by name, each with its unresolved alerts. */
export const listItems: Handlers['techStack']['list'] = async (ctx, { project_id, ...input }) => {
  const { tx, organisationId } = ctx;
  const project = { organisationId, projectId: project_id };
  const { q, ecosystem, scope, direct, at_risk } = input;
  const wanted = tx
    .selectFrom('tech_stack_items as item')
    .where(inScope(project, 'item'))
    .$if(q !== undefined, (query) => query.where(sql<boolean>`position(lower(${q}) in lower(item.name)) > 0`))
    .$if(ecosystem !== undefined, (query) => query.where('ecosystem', '=', ecosystem ?? 'npm'))
    .$if(scope !== undefined, (query) => query.where('scope', '=', scope ?? 'runtime'))
    .$if(direct !== undefined, (query) => query.where('direct', '=', direct ?? null))
    .$if(at_risk !== undefined, (query) =>
      query.where(sql<boolean>`${isAtRisk(project, 'health or alerts')} = ${at_risk}`),
    );
  const [page] = await Promise.all([
    loadPage(ctx, itemsByName, input, wanted.selectAll()),
    findProject(ctx, project_id),
  ]);
  const [items, alerts] = await Promise.all([toItems(tx, page.items), countAlertsOf(tx, project, page.items)]);
  const coverage = await listCoverage(tx, page.total, { scope: project, domain: 'dependencies' }, ctx.now);
  const none = { red: 0, yellow: 0, green: 0 };
  return { ...page, items: items.map((item, place) => ({ ...item, alerts: alerts[place] ?? none })), coverage };
};

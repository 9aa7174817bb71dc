import { sql } from 'kysely';
import { auditActions, isAuditedRead } from '../../procedures/audit-actions.js';
import { readVulnerabilityId } from '../../shared/vulnerability-id.js';
import type { Context, Handlers } from '../api/handler.js';
import { entryOf } from '../audit/entry.js';
import { byId, isProjectOf, type Scope } from '../db/scope.js';
import { invalidField, notFound, unknownValue } from '../http/api-error.js';
import { all, type Conditions, conditionsOf, type FiltersOf } from '../http/filters.js';
import { likelyNames } from '../http/likely-names.js';
import { key, type List } from '../http/list-order.js';
import { loadPage } from '../http/page.js';
import { listScope } from '../projects/list-scope.js';

const newest: List = { keys: [key('at', 'timestamptz', 'desc'), key('id', 'text', 'desc')], appeared: sql`at` };

/** Newest first; `since` is included, `until` is not. */
export const getAuditLog: Handlers['organisation']['getAuditLog'] = async (ctx, input) => {
  const { project_id, group, actor, ...filters } = input;
  if (project_id !== undefined) await requireKnownProject(ctx, project_id);
  const ids = actor === undefined ? [] : await actorIds(ctx, actor);
  const conditions: Conditions<FiltersOf<typeof input>> = {
    actor: () => sql<boolean>`actor_id = any (${ids}::text[])`,
    action: (action) => sql<boolean>`action = any (${meantBy(action)}::text[])`,
    target: isAbout,
    until: (until) => sql<boolean>`at < ${until}`,
  };
  const entries = ctx.tx
    .selectFrom('audit_log')
    .where('organisation_id', '=', ctx.organisationId)
    .$if(project_id !== undefined, (query) => query.where(ofProject(project_id ?? '')))
    .where(group === undefined ? sql<boolean>`true` : ofGroup(await listScope(ctx, { project_id, group })))
    .where(all(conditionsOf(conditions, { actor, ...filters })));
  const page = await loadPage(ctx, newest, input, entries.selectAll());
  return { ...page, items: page.items.map(entryOf) };
};

/** One action, or all that begin with the word, as `verdict`. Throws for what the log cannot have: an empty list would reassure. */
function meantBy(action: string): readonly string[] {
  const meant = auditActions.filter((each) => each === action || each.startsWith(`${action}.`));
  if (meant.length > 0) return meant;
  if (isAuditedRead(action)) return [action];
  throw unknownValue('action', 'unknown_action', likeliest(action));
}

/** Those that look like the text, or else like a word of it. */
function likeliest(action: string): readonly string[] {
  const all = auditActions.map((name) => ({ name }));
  const found = [action, ...action.split(/[^a-z]+/i)].flatMap((text) => likelyNames(text, all));
  const firstParts = new Set(auditActions.map((each) => each.split('.')[0] ?? each));
  return found.length > 0 ? [...new Set(found.map(({ name }) => name))] : [...firstParts];
}

function ofProject(id: string) {
  return sql<boolean>`(project_id = ${id} or (project_id is null and target_kind = 'project' and target_id = ${id}))`;
}

/** Of the projects that are in the group now. */
function ofGroup(scope: Scope) {
  return sql<boolean>`coalesce(project_id, case when target_kind = 'project' then target_id end) in (
    select id from projects where ${isProjectOf(scope)})`;
}

/** Done to the thing with this id, or about this vulnerability or package. Ids of vulnerabilities come in any case. */
function isAbout(target: string) {
  const vulnerability = readVulnerabilityId(target) ?? target;
  return sql<boolean>`(target_id = ${target} or vulnerability_id = ${vulnerability} or package = ${target})`;
}

/** A deleted project is still known where the log has entries of it. */
async function requireKnownProject({ tx, organisationId }: Context, id: string): Promise<void> {
  const project = await tx
    .selectFrom('projects')
    .select('id')
    .where(byId(organisationId, id))
    .union(
      tx
        .selectFrom('audit_log')
        .select('target_id as id')
        .where('organisation_id', '=', organisationId)
        .where(ofProject(id))
        .limit(1),
    )
    .executeTakeFirst();
  if (project === undefined) throw notFound('project');
}

/** The ids of who is meant: an id as it is, names and e-mails in any case. Names of those who are gone are in the log. */
async function actorIds({ tx, organisationId }: Context, actor: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from members where organisation_id = ${organisationId}
      and (id = ${actor} or lower(email) = lower(${actor}) or lower(name) = lower(${actor}))
    union
    select id from api_keys where organisation_id = ${organisationId}
      and (id = ${actor} or lower(name) = lower(${actor}))
    union
    select actor_id from audit_log where organisation_id = ${organisationId}
      and (actor_id = ${actor} or lower(actor_name) = lower(${actor}))`.execute(tx);
  if (rows.length === 0) throw invalidField('actor', 'unknown_actor');
  return rows.map(({ id }) => id);
}

import { sql } from 'kysely';
import { readVulnerabilityId } from '../../shared/vulnerability-id.js';
import type { Context, Handlers } from '../api/handler.js';
import { byId, isProjectOf, type Scope } from '../db/scope.js';
import { invalidField, notFound } from '../http/api-error.js';
import { loadPage } from '../http/page.js';
import { listScope } from '../projects/list-scope.js';

/** Newest first; `since` is included, `until` is not. Entries of before migration 0011 name a project only as their target. */
export const getAuditLog: Handlers['organisation']['getAuditLog'] = async (ctx, input) => {
  const { project_id, group, actor, action, target, since, until } = input;
  let entries = ctx.tx.selectFrom('audit_log').where('organisation_id', '=', ctx.organisationId);
  if (project_id !== undefined) {
    await requireKnownProject(ctx, project_id);
    entries = entries.where(ofProject(project_id));
  }
  if (group !== undefined) entries = entries.where(ofGroup(await listScope(ctx, { project_id, group })));
  if (actor !== undefined) {
    const ids = await actorIds(ctx, actor);
    entries = entries.where(sql<boolean>`actor_id = any (${ids}::text[])`);
  }
  if (action !== undefined) entries = entries.where('action', '=', action);
  if (target !== undefined) entries = entries.where(isAbout(target));
  if (since !== undefined) entries = entries.where('at', '>=', since);
  if (until !== undefined) entries = entries.where('at', '<', until);
  const page = await loadPage(input, entries.selectAll().orderBy('at', 'desc').orderBy('id', 'desc'));
  const items = page.items.map((row) => {
    const projectId = row.project_id ?? (row.target_kind === 'project' ? row.target_id : null);
    return {
      id: row.id,
      at: row.at,
      actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
      action: row.action,
      target: { kind: row.target_kind, id: row.target_id },
      project: projectId === null ? null : { id: projectId, name: row.project_name },
      vulnerability_id: row.vulnerability_id,
      package: row.package,
      before: row.before,
      after: row.after,
      ip: row.ip,
      request_id: row.request_id,
    };
  });
  return { ...page, items };
};

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

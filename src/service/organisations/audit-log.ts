import type { Handlers } from '../api/handler.js';
import { loadPage } from '../http/page.js';

/** Newest first; `since` is included, `until` is not. */
export const getAuditLog: Handlers['organisation']['getAuditLog'] = async ({ tx, organisationId }, input) => {
  const { actor, action, since, until } = input;
  let entries = tx.selectFrom('audit_log').where('organisation_id', '=', organisationId);
  if (actor !== undefined) entries = entries.where('actor_id', '=', actor);
  if (action !== undefined) entries = entries.where('action', '=', action);
  if (since !== undefined) entries = entries.where('at', '>=', since);
  if (until !== undefined) entries = entries.where('at', '<', until);
  const page = await loadPage(input, entries.selectAll().orderBy('at', 'desc').orderBy('id', 'desc'));
  const items = page.items.map((row) => ({
    id: row.id,
    at: row.at,
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
    action: row.action,
    target: { kind: row.target_kind, id: row.target_id },
    before: row.before,
    after: row.after,
    ip: row.ip,
    request_id: row.request_id,
  }));
  return { ...page, items };
};

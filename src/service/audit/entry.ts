import type { Selectable } from 'kysely';
import type * as z from 'zod';
import type { auditEntry } from '../../procedures/organisation.js';
import type { AuditLogTable } from '../db/tables/organisations.js';

export type AuditRow = Selectable<AuditLogTable>;

/** A row of the log as it is answered. Those of before migration 0011 name a project only as their target. */
export function entryOf(row: AuditRow): z.output<typeof auditEntry> {
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
    issuer: row.issuer,
    session_id: row.session_id,
    ip: row.ip,
    device: row.device,
    request_id: row.request_id,
  };
}

import { sql } from 'kysely';
import type { Transaction } from '../db/database.js';
import { newSortableId } from '../db/sortable-id.js';

/** What a request leaves in the audit log; `AuditOrigin` adds who did it, and from where. */
export interface AuditEvent {
  /** `domain.verb`, as `project.create`. */
  readonly action: string;
  readonly target: { readonly kind: string; readonly id: string };
  readonly before?: Readonly<Record<string, unknown>> | null;
  readonly after?: Readonly<Record<string, unknown>> | null;
}

/** Who did it, from where, in which request. */
export interface AuditOrigin {
  readonly organisationId: string;
  readonly actor: {
    readonly kind: 'member' | 'api_key' | 'operator' | 'system';
    readonly id: string;
    readonly name: string;
  };
  readonly ip: string | null;
  readonly requestId: string | null;
}

type Facts = Readonly<Record<string, unknown>>;

/** Adds one row to the audit log, in the transaction of the change. */
export async function recordAudit(tx: Transaction, origin: AuditOrigin, event: AuditEvent): Promise<void> {
  const { organisationId, actor, ip, requestId } = origin;
  const { before, after } = onlyChanges(event.before ?? null, event.after ?? null);
  await tx
    .insertInto('audit_log')
    .values({
      organisation_id: organisationId,
      id: newSortableId('aud'),
      actor_kind: actor.kind,
      actor_id: actor.id,
      actor_name: actor.name,
      action: event.action,
      target_kind: event.target.kind,
      target_id: event.target.id,
      before: jsonOrNull(before),
      after: jsonOrNull(after),
      ip,
      request_id: requestId,
    })
    .execute();
}

/** Of an update only the fields that changed; of a creation or a deletion all. */
function onlyChanges(
  before: Facts | null,
  after: Facts | null,
): { readonly before: Facts | null; readonly after: Facts | null } {
  if (before === null || after === null) return { before, after };
  const changed = (key: string) => JSON.stringify(before[key]) !== JSON.stringify(after[key]);
  const pick = (facts: Facts) => Object.fromEntries(Object.entries(facts).filter(([key]) => changed(key)));
  return { before: pick(before), after: pick(after) };
}

function jsonOrNull(facts: Facts | null) {
  return facts === null ? sql<string>`null` : JSON.stringify(facts);
}

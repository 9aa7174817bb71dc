import { type QueryCreator, sql } from 'kysely';
import type { AuditAction, AuditedRead } from '../../procedures/audit-actions.js';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { printPurl } from '../../shared/packages/purl.js';
import { newSortableId } from '../db/ids.js';
import type { Schema } from '../db/schema.js';

/** What a request leaves in the audit log; `AuditOrigin` adds who did it, and from where. */
export interface AuditEvent {
  readonly action: AuditAction | AuditedRead;
  readonly target: { readonly kind: string; readonly id: string };
  /** The vulnerability and the package that it is about, where it is about one. */
  readonly about?: AuditSubject;
  readonly before?: Readonly<Record<string, unknown>> | null;
  readonly after?: Readonly<Record<string, unknown>> | null;
}

interface AuditSubject {
  readonly vulnerability_id?: string;
  readonly ecosystem: Ecosystem;
  readonly package_name: string;
  readonly version?: string;
}

/** Where a request came from, and which one it is. */
export interface RequestOrigin {
  readonly ip: string | null;
  /** The program that asked, as it says itself. */
  readonly device: string | null;
  readonly requestId: string | null;
}

/** Of what nobody has asked for over the network. */
export const noRequest: RequestOrigin = { ip: null, device: null, requestId: null };

interface Known {
  readonly id: string;
  readonly name: string;
}

type Actor =
  | (Known & {
      readonly kind: 'member';
      /** Null: the member was in none. */
      readonly sessionId: string | null;
      /** Who has said that it is this person; null: the password, or the token of an invite or a reset, has. */
      readonly issuer: string | null;
    })
  | (Known & { readonly kind: 'api_key' | 'operator' | 'system' });

/** Who did it, from where, in which request. */
export interface AuditOrigin extends RequestOrigin {
  readonly organisationId: string;
  /** The project that the request names. */
  readonly projectId?: string | undefined;
  readonly actor: Actor;
}

type Facts = Readonly<Record<string, unknown>>;

/** Adds one row to the audit log, in the transaction of the change. */
export async function recordAudit(tx: QueryCreator<Schema>, origin: AuditOrigin, event: AuditEvent): Promise<void> {
  await recordAudits(tx, origin, [event]);
}

/** The same for many events. */
export async function recordAudits(
  tx: QueryCreator<Schema>,
  origin: AuditOrigin,
  events: readonly AuditEvent[],
): Promise<void> {
  if (events.length === 0) return;
  await tx
    .insertInto('audit_log')
    .values(events.map((event) => rowOf(origin, event)))
    .execute();
}

/** Handlers record with these in one transaction; who did it, and where, is added. */
export function auditing(tx: QueryCreator<Schema>, origin: AuditOrigin) {
  return {
    audit: (event: AuditEvent) => recordAudit(tx, origin, event),
    auditAll: (events: readonly AuditEvent[]) => recordAudits(tx, origin, events),
  };
}

function rowOf({ organisationId, projectId: named, actor, ip, device, requestId }: AuditOrigin, event: AuditEvent) {
  const { before, after } = onlyChanges(event.before ?? null, event.after ?? null);
  const { about, target } = event;
  const projectId = named ?? (target.kind === 'project' ? target.id : null);
  return {
    organisation_id: organisationId,
    id: newSortableId('aud'),
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_name: actor.name,
    action: event.action,
    target_kind: target.kind,
    target_id: target.id,
    project_id: projectId,
    project_name: projectName(organisationId, projectId, event.before?.['name']),
    vulnerability_id: about?.vulnerability_id ?? null,
    package: about === undefined ? null : purlOf(about),
    before: jsonOrNull(before),
    after: jsonOrNull(after),
    issuer: actor.kind === 'member' ? actor.issuer : null,
    session_id: actor.kind === 'member' ? actor.sessionId : null,
    ip,
    device,
    request_id: requestId,
  };
}

/** Looked up by the insert itself. A project that is being deleted has its name in `before`. */
function projectName(organisationId: string, projectId: string | null, before: unknown) {
  const known = projectId !== null && typeof before === 'string' ? before : null;
  return sql<string | null>`coalesce((
    select name from projects where organisation_id = ${organisationId} and id = ${projectId}
  ), ${known}::text)`;
}

function purlOf({ ecosystem, package_name: name, version }: AuditSubject): string {
  return printPurl({ ecosystem, name, version: version ?? null });
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

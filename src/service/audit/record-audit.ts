import { sql } from 'kysely';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { printPurl } from '../../shared/packages/purl.js';
import type { Transaction } from '../db/database.js';
import { newSortableId } from '../db/sortable-id.js';

/** What a request leaves in the audit log; `AuditOrigin` adds who did it, and from where. */
export interface AuditEvent {
  /** `domain.verb`, as `project.create`. */
  readonly action: string;
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

/** Who did it, from where, in which request. */
export interface AuditOrigin {
  readonly organisationId: string;
  /** The project that the request names. */
  readonly projectId?: string | undefined;
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
  await recordAudits(tx, origin, [event]);
}

/** The same for many events. */
export async function recordAudits(tx: Transaction, origin: AuditOrigin, events: readonly AuditEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx
    .insertInto('audit_log')
    .values(events.map((event) => rowOf(origin, event)))
    .execute();
}

function rowOf({ organisationId, projectId: named, actor, ip, requestId }: AuditOrigin, event: AuditEvent) {
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
    ip,
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

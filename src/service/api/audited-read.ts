import type { Procedure } from '../../procedures/define.js';
import { recordAudit } from '../audit/record-audit.js';
import { type Caller, tenantOf } from '../auth/caller.js';
import type { Database } from '../db/database.js';
import { ApiError } from '../http/api-error.js';

interface AuditedRead {
  readonly database: Database;
  /** As `alerts.list`. */
  readonly name: string;
  readonly procedure: Procedure;
  readonly caller: Caller;
  readonly ip: string | null;
  readonly requestId: string;
}

/**
 * Reads with an API key leave a row in the audit log: which key, which tool, and whether it was answered; nothing of what was
 * asked or answered. The answer is given only when the row is written. All else runs as it is.
 */
export async function auditedRead<T>(given: AuditedRead, answer: () => Promise<T>): Promise<T> {
  if (given.procedure.access !== 'read' || given.caller.kind !== 'api_key') return answer();
  try {
    const answered = await answer();
    await keep(given, 'ok');
    return answered;
  } catch (error) {
    await keep(given, error instanceof ApiError ? error.code : 'internal');
    throw error;
  }
}

async function keep({ database, name, procedure, caller, ip, requestId }: AuditedRead, outcome: string): Promise<void> {
  const actor = { kind: caller.kind, id: caller.id, name: caller.name };
  const origin = { organisationId: caller.organisationId, actor, ip, requestId };
  const target = { kind: 'procedure', id: procedure.tool ?? name };
  await database.tenant(
    tenantOf(caller),
    (tx) => recordAudit(tx, origin, { action: name, target, after: { outcome } }),
    // Else each read would send the next one to the primary.
    { maxWaitMs: database.requestWaitMs, seenLater: true },
  );
}

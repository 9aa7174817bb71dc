import { type AuditedRead, isAuditedRead } from '../../procedures/audit-actions.js';
import type { Procedure } from '../../procedures/define.js';
import { type RequestOrigin, recordAudit } from '../audit/record-audit.js';
import { actorOf, type Caller, tenantOf } from '../auth/caller.js';
import type { Database } from '../db/database.js';
import { ApiError } from '../http/api-error.js';

interface GivenRead extends RequestOrigin {
  readonly database: Database;
  /** As `alerts.list`. */
  readonly name: string;
  readonly procedure: Procedure;
  readonly caller: Caller;
}

/**
 * Reads with an API key leave a row in the audit log: which key, which tool, and whether it was answered; nothing of what was
 * asked or answered. The answer is given only when the row is written. All else runs as it is.
 */
export async function auditedRead<T>(given: GivenRead, answer: () => Promise<T>): Promise<T> {
  const { name, caller } = given;
  if (caller.kind !== 'api_key' || !isAuditedRead(name)) return answer();
  const keep = (outcome: string) => keepRead(given, name, outcome);
  try {
    const answered = await answer();
    await keep('ok');
    return answered;
  } catch (error) {
    await keep(error instanceof ApiError ? error.code : 'internal');
    throw error;
  }
}

async function keepRead(
  { database, procedure, caller, ip, device, requestId }: GivenRead,
  action: AuditedRead,
  outcome: string,
): Promise<void> {
  const origin = { organisationId: caller.organisationId, actor: actorOf(caller), ip, device, requestId };
  const target = { kind: 'procedure', id: procedure.tool ?? action };
  await database.tenant(tenantOf(caller), (tx) => recordAudit(tx, origin, { action, target, after: { outcome } }), {
    maxWaitMs: database.requestWaitMs,
  });
}

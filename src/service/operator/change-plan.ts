import { type RequestOrigin, recordAudit } from '../audit/record-audit.js';
import type { Plan } from '../auth/caller.js';
import type { Database } from '../db/database.js';
import { notFound } from '../http/api-error.js';
import { organisationColumns } from '../organisations/organisation.js';
import { operatorActor } from './operator-actor.js';

/** Changes an organisation's plan; the next request already has it. */
export function changePlan(
  database: Database,
  { id, plan }: { readonly id: string; readonly plan: Plan },
  from: RequestOrigin,
) {
  return database.system(async (tx) => {
    const before = await tx
      .selectFrom('organisations')
      .select(organisationColumns)
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow(() => notFound('organisation'));
    if (before.plan === plan) return before;
    const after = await tx
      .updateTable('organisations')
      .set({ plan, revision: before.revision + 1, updated_at: new Date() })
      .where('id', '=', id)
      .returning(organisationColumns)
      .executeTakeFirstOrThrow();
    await recordAudit(
      tx,
      { organisationId: id, actor: operatorActor, ...from },
      {
        action: 'organisation.change_plan',
        target: { kind: 'organisation', id },
        before: { plan: before.plan },
        after: { plan },
      },
    );
    return after;
  });
}

import { sql } from 'kysely';
import type * as z from 'zod';
import type { reachability } from '../../procedures/reachability.js';
import type { Context } from '../api/handler.js';
import { inScope } from '../db/scope.js';

/** Where unfinished work on a project stands: null where there is none. */
interface Due {
  readonly alerts_due_after: string | null;
  readonly verdicts_due_after: string | null;
}

/** How many verdicts are up to date: they are computed in the order of the alerts' ids. */
export async function verdictProgress(
  { tx, organisationId }: Context,
  projectId: string,
  { alerts_due_after, verdicts_due_after }: Due,
): Promise<z.output<typeof reachability.progress.output>> {
  const isJudged = verdicts_due_after === null ? sql`verdict_band is not null` : sql`id <= ${verdicts_due_after}`;
  const { alerts, judged } = await tx
    .selectFrom('alerts')
    .select((row) => row.fn.countAll<number>().as('alerts'))
    .select(sql<number>`count(*) filter (where ${isJudged})`.as('judged'))
    .where(inScope({ organisationId, projectId }))
    .where('resolved_at', 'is', null)
    .executeTakeFirstOrThrow();
  return { pending: alerts_due_after !== null || verdicts_due_after !== null, alerts, judged };
}

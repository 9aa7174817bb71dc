import * as z from 'zod';
import { addAlertSummaries, adviseSummary, alertEvents, noAlertSummary } from '../alerts/alert-events.js';
import type { Transaction } from '../db/database.js';
import { byId } from '../db/scope.js';
import { notifiedAlert, notifiedVerdict } from '../events/domain-event.js';
import { emitEventsFor } from '../events/outbox.js';
import { addTopN } from '../events/top-n.js';
import type { ProjectKey } from '../projects/find-project.js';
import { moreUrgentFirst, noRaisedVerdicts, raisedEvents } from './verdict-events.js';

function topOf<Row extends z.ZodType>(row: Row) {
  return z.object({ total: z.int(), worst: z.array(row).readonly() });
}

const alerts = topOf(notifiedAlert);
const projectEvents = z.object({
  alerts: z.object({ red: alerts, otherRed: alerts, knownExploited: alerts }),
  raised: topOf(notifiedVerdict),
});

/** The events that work on a project has found for its webhooks: bounded, however much has changed. */
export type ProjectEvents = z.infer<typeof projectEvents>;

export const noProjectEvents: ProjectEvents = { alerts: noAlertSummary, raised: noRaisedVerdicts };

export function addProjectEvents(a: ProjectEvents, b: ProjectEvents): ProjectEvents {
  return { alerts: addAlertSummaries(a.alerts, b.alerts), raised: addTopN(a.raised, b.raised, moreUrgentFirst) };
}

/**
 * Emits the events of a project in the transaction of the change. Where the same work goes on in other transactions, they are
 * kept with the project, so that 5,000 new alerts are one notification and a stopped process loses none. The caller holds the
 * project's lock.
 *
 * @param goesOn whether the caller's own work has more transactions
 */
export async function emitProjectEvents(
  tx: Transaction,
  key: ProjectKey,
  fresh: ProjectEvents,
  now: Date,
  goesOn = false,
): Promise<void> {
  const project = await tx
    .selectFrom('projects')
    .select(['alerts_due_after', 'verdicts_due_after', 'news'])
    .where(byId(key.organisationId, key.projectId))
    .executeTakeFirstOrThrow();
  const kept = project.news === null ? noProjectEvents : projectEvents.parse(project.news);
  const all = addProjectEvents(kept, fresh);
  const isDue = goesOn || project.alerts_due_after !== null || project.verdicts_due_after !== null;
  if (!isDue) {
    const advised = await adviseSummary({ tx, organisationId: key.organisationId, now }, all.alerts);
    await emitEventsFor(tx, key, (wanted) => alertEvents(advised, wanted), now);
    const raised = raisedEvents(all.raised);
    await emitEventsFor(tx, key, (wanted) => raised.filter(({ type }) => wanted.includes(type)), now);
  }
  const next = isDue && !isEmpty(all) ? JSON.stringify(all) : null;
  if (next === null ? project.news === null : isEmpty(fresh)) return;
  await tx.updateTable('projects').set({ news: next }).where(byId(key.organisationId, key.projectId)).execute();
}

function isEmpty({ alerts, raised }: ProjectEvents): boolean {
  return alerts.red.total + alerts.knownExploited.total + raised.total === 0;
}

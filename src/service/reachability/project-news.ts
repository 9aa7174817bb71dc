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
const projectNews = z.object({
  alerts: z.object({ red: alerts, otherRed: alerts, knownExploited: alerts }),
  raised: topOf(notifiedVerdict),
});

/** What work on a project has found that its webhooks will be told. Bounded, however much has changed. */
export type ProjectNews = z.infer<typeof projectNews>;

export const noNews: ProjectNews = { alerts: noAlertSummary, raised: noRaisedVerdicts };

export function addNews(a: ProjectNews, b: ProjectNews): ProjectNews {
  return { alerts: addAlertSummaries(a.alerts, b.alerts), raised: addTopN(a.raised, b.raised, moreUrgentFirst) };
}

/**
 * Tells the project's webhooks, in the transaction of the change. Where the same work goes on in other transactions, it is
 * kept with the project, so that 5,000 new alerts are one notification and a stopped process loses none. The caller holds the
 * project's lock.
 *
 * @param goesOn whether the caller's own work has more transactions
 */
export async function tellNews(
  tx: Transaction,
  key: ProjectKey,
  fresh: ProjectNews,
  now: Date,
  goesOn = false,
): Promise<void> {
  const project = await tx
    .selectFrom('projects')
    .select(['alerts_due_after', 'verdicts_due_after', 'news'])
    .where(byId(key.organisationId, key.projectId))
    .executeTakeFirstOrThrow();
  const kept = project.news === null ? noNews : projectNews.parse(project.news);
  const all = addNews(kept, fresh);
  const isDue = goesOn || project.alerts_due_after !== null || project.verdicts_due_after !== null;
  if (!isDue) {
    const told = await adviseSummary({ tx, organisationId: key.organisationId, now }, all.alerts);
    await emitEventsFor(tx, key, (wanted) => alertEvents(told, wanted), now);
    const raised = raisedEvents(all.raised);
    await emitEventsFor(tx, key, (wanted) => raised.filter(({ type }) => wanted.includes(type)), now);
  }
  const next = isDue && !isEmpty(all) ? JSON.stringify(all) : null;
  if (next === null ? project.news === null : isEmpty(fresh)) return;
  await tx.updateTable('projects').set({ news: next }).where(byId(key.organisationId, key.projectId)).execute();
}

function isEmpty({ alerts, raised }: ProjectNews): boolean {
  return alerts.red.total + alerts.knownExploited.total + raised.total === 0;
}

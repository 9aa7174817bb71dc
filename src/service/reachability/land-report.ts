import type * as z from 'zod';
import type { reachability } from '../../procedures/reachability.js';
import type { LandingContext } from '../api/handler.js';
import { requireProjectLock } from '../projects/find-project.js';
import { finishVerdicts, verdictsDueAfter } from './finish-verdicts.js';
import { recomputeVerdicts, type VerdictCounts } from './recompute.js';
import { findSameReport, type PreparedReport, replaceDependencies, storeReport } from './store-report.js';

type Answer = z.output<typeof reachability.uploadUsageReport.output>;

const nothingYet: VerdictCounts = { created: 0, updated: 0, unchanged: 0, pending: true };

/**
 * Lands a report: it becomes the newest one as a whole, or not at all. The first verdicts come with it. The others follow at
 * once, in transactions of their own, for which the answer waits a few seconds. The same report again goes on with verdicts
 * that are not finished, so that an uploader can wait for them.
 */
export async function landReport(
  { landing, within, caller, now, waitMs }: LandingContext<Answer>,
  projectId: string,
  report: PreparedReport,
): Promise<Answer> {
  const { dependencies, complete } = report;
  const { project, same } = await landing.step(async (tx) => {
    const key = await requireProjectLock(within(tx), projectId);
    return { project: key, same: await findSameReport(tx, key, report) };
  });
  if (same === undefined) await replaceDependencies(landing.step, project, dependencies);
  const answer = await landing.finish(async (tx) => {
    const { audit } = within(tx);
    await requireProjectLock(within(tx), projectId);
    const id = same ?? (await storeReport(tx, project, report, caller.name, now));
    const isUnfinished = same !== undefined && (await verdictsDueAfter(tx, project)) !== null;
    const verdicts = isUnfinished ? nothingYet : await recomputeVerdicts(tx, project, now);
    if (same === undefined) {
      await audit({
        action: 'usage_report.upload',
        target: { kind: 'project', id: projectId },
        after: { report_id: id, dependencies: dependencies.length, complete },
      });
    }
    return { report_id: id, duplicate: same !== undefined, dependencies: dependencies.length, verdicts };
  });
  return { ...answer, verdicts: await finishVerdicts(landing.step, project, answer.verdicts, waitMs) };
}

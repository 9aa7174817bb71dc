import type * as z from 'zod';
import type { techStack } from '../../procedures/tech-stack.js';
import type { AlertFacts } from '../alerts/alert-facts.js';
import type { LandingContext } from '../api/handler.js';
import { carryOut, planAlerts } from '../assessment/alert-plan.js';
import { finishAssessment } from '../assessment/continue-assessments.js';
import type { InTransaction } from '../jobs/pages.js';
import { listSoon } from '../registries/due-projects.js';
import { withDerivedParts } from './derived-parts.js';
import { findFormer } from './former-source.js';
import { largeRemoval, refuseRemoval } from './large-removal.js';
import {
  removeSource,
  removeSourceContents,
  replaceSourceContents,
  type SourceContents,
  unreadOf,
  writeSource,
} from './source-contents.js';
import { stackChanges } from './stack-changes.js';
import type { StackPackage } from './stack-package.js';
import { syncCoverage } from './sync-coverage.js';
import { loadSource, writeStackChanges } from './write-stack.js';

export type SyncAnswer = z.output<typeof techStack.sync.output>;

interface Replacement {
  readonly projectId: string;
  readonly source: string;
  /** What the source was called before. */
  readonly former?: string | undefined;
  /** Also where most packages of the source go. */
  readonly force?: boolean | undefined;
  readonly packages: readonly StackPackage[];
  readonly contents: SourceContents;
  readonly action: 'tech_stack.sync' | 'tech_stack.upload_sbom';
}

/** What a caller adds to the answer of a sync. */
interface Completion<Answer> {
  /** Gets the alerts that will be opened, page by page, before the stack lands. */
  readonly onOpened: (opened: readonly AlertFacts[]) => void;
  /** The last step before the stack lands. */
  readonly complete: (step: InTransaction) => Promise<(synced: SyncAnswer) => Answer>;
}

/**
 * Replaces the tracked packages of one source by the given ones, then brings the project's alerts up to date. All of it lands
 * at once; only where very many alerts change, they follow before this returns. Unchanged packages are not written. If none
 * has changed, there is no audit row either.
 *
 * @throws ApiError 409 `mostly_removed`, unless it is forced
 */
export async function replaceSource<Answer>(
  { landing, within, organisationId, now }: LandingContext<Answer>,
  { projectId, source, former, force, packages, contents, action }: Replacement,
  { onOpened, complete }: Completion<Answer>,
): Promise<Answer> {
  const project = { organisationId, projectId };
  const step: InTransaction = (work) => landing.step(work);
  const own = await loadSource(step, project, source);
  const before = former === undefined ? null : await findFormer(step, project, { source, former, packages }, own);
  const isTaken = before?.answer.taken_over === true;
  const tracked = isTaken ? before.packages : own;
  const unread = await step((tx) => unreadOf(tx, project, isTaken ? before.answer.source : source));
  const removal = largeRemoval({ packages: tracked, unread }, { packages, unread: contents.unread });
  if (removal !== null && force !== true) await step((tx) => refuseRemoval(tx, project, source, removal));
  const changes = await stackChanges(tracked, packages);
  await writeStackChanges(step, project, source, { ...changes, moved: isTaken ? changes.unchanged : [] }, now);
  if (isTaken) await removeSourceContents(step, project, before.answer.source);
  const hasOthers = await replaceSourceContents(step, project, source, contents, now);
  const plan = await planAlerts(step, project, onOpened);
  const toAnswer = await complete(step);
  const answer = await landing.finish(async (tx) => {
    await writeSource(tx, project, source, { ...contents, unread: withDerivedParts(packages, contents.unread) }, now);
    if (isTaken) await removeSource(tx, project, before.answer.source);
    await carryOut(tx, project, plan, now);
    const counts = { added: changes.added.length, updated: changes.updated.length, removed: changes.removed.length };
    if (hasOthers || counts.added + counts.updated + counts.removed > 0 || isTaken) {
      const took = isTaken ? { took_over: before.answer.source } : {};
      const forced = removal === null ? {} : { forced: true };
      const after = { source, ...counts, ...took, ...forced };
      await within(tx).audit({ action, target: { kind: 'project', id: projectId }, after });
      await listSoon(tx, project);
    }
    const { opened, reopened, resolved } = plan.counts;
    const coverage = await syncCoverage(tx, { project, source, packages }, now);
    return toAnswer({
      source,
      ...counts,
      unchanged: changes.unchanged.length,
      alerts: { opened, reopened, resolved },
      former: before?.answer ?? null,
      coverage,
    });
  });
  if (plan.changes === null) await finishAssessment(step, project);
  return answer;
}

import type * as z from 'zod';
import type { techStack } from '../../procedures/tech-stack.js';
import type { Context } from '../api/handler.js';
import { reassessProject } from '../assessment/reassess-project.js';
import { requireProjectLock } from '../projects/find-project.js';
import { takeOverFormer } from './former-source.js';
import { largeRemoval, refuseRemoval } from './large-removal.js';
import { replaceSourceContents, type SourceContents } from './source-contents.js';
import { stackChanges } from './stack-changes.js';
import type { StackPackage } from './stack-package.js';
import { syncCoverage } from './sync-coverage.js';
import { loadSource, writeStackChanges } from './write-stack.js';

type SyncAnswer = z.output<typeof techStack.sync.output>;

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

/**
 * Replaces the tracked packages of one source by the given ones, then brings the project's alerts up to date. Unchanged
 * packages are not written. If none has changed, there is no audit row either.
 *
 * @throws ApiError 409 `mostly_removed`, unless it is forced
 */
export async function replaceSource(
  ctx: Context,
  { projectId, source, former, force, packages, contents, action }: Replacement,
): Promise<SyncAnswer> {
  const { tx, now } = ctx;
  const project = await requireProjectLock(ctx, projectId);
  const before = former === undefined ? null : await takeOverFormer(tx, project, { source, former, packages });
  const tracked = await loadSource(tx, project, source);
  const removal = largeRemoval(tracked, packages);
  if (removal !== null && force !== true) await refuseRemoval(tx, project, source, removal);
  const changes = stackChanges(tracked, packages);
  await writeStackChanges(tx, project, source, changes, now);
  const hasOthers = await replaceSourceContents(tx, project, source, contents, now);
  const { opened, reopened, resolved } = await reassessProject(tx, project, now);
  const counts = { added: changes.added.length, updated: changes.updated.length, removed: changes.removed.length };
  const took = before?.taken_over === true ? { took_over: before.source } : {};
  if (hasOthers || counts.added + counts.updated + counts.removed > 0 || before?.taken_over === true) {
    const forced = removal === null ? {} : { forced: true };
    const after = { source, ...counts, ...took, ...forced };
    await ctx.audit({ action, target: { kind: 'project', id: projectId }, after });
  }
  const alerts = { opened, reopened, resolved };
  const coverage = await syncCoverage(tx, project, packages, now);
  return { source, ...counts, unchanged: changes.unchanged, alerts, former: before, coverage };
}

import type * as z from 'zod';
import type { techStack } from '../../procedures/tech-stack.js';
import type { Context } from '../api/handler.js';
import { reassessProject } from '../assessment/reassess-project.js';
import { requireProjectLock } from '../projects/find-project.js';
import { stackChanges } from './stack-changes.js';
import type { StackPackage } from './stack-package.js';
import { syncCoverage } from './sync-coverage.js';
import { loadSource, writeStackChanges } from './write-stack.js';

type SyncAnswer = z.output<typeof techStack.sync.output>;

interface Replacement {
  readonly projectId: string;
  readonly source: string;
  readonly packages: readonly StackPackage[];
  readonly action: 'tech_stack.sync' | 'tech_stack.upload_sbom';
}

/**
 * Replaces the tracked packages of one source by the given ones, then brings the project's alerts up to date. Unchanged
 * packages are not written. If none has changed, there is no audit row either.
 */
export async function replaceSource(
  ctx: Context,
  { projectId, source, packages, action }: Replacement,
): Promise<SyncAnswer> {
  const { tx, now } = ctx;
  const project = await requireProjectLock(ctx, projectId);
  const changes = stackChanges(await loadSource(tx, project, source), packages);
  await writeStackChanges(tx, project, source, changes, now);
  const { opened, reopened, resolved } = await reassessProject(tx, project, now);
  const counts = { added: changes.added.length, updated: changes.updated.length, removed: changes.removed.length };
  if (counts.added + counts.updated + counts.removed > 0) {
    await ctx.audit({ action, target: { kind: 'project', id: projectId }, after: { source, ...counts } });
  }
  const coverage = await syncCoverage(tx, project, packages, now);
  return { source, ...counts, unchanged: changes.unchanged, alerts: { opened, reopened, resolved }, coverage };
}

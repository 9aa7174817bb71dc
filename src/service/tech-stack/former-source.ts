import type * as z from 'zod';
import type { techStack } from '../../procedures/tech-stack.js';
import { packageKey } from '../../shared/packages/package-key.js';
import type { Transaction } from '../db/database.js';
import { inScope } from '../db/scope.js';
import type { ProjectKey } from '../projects/find-project.js';
import { identityOf, type StackPackage } from './stack-package.js';
import { loadSource } from './write-stack.js';

type FormerSource = NonNullable<z.output<typeof techStack.sync.output>['former']>;

/** Parts of both sources that must be the same: names, and names with versions, which a few upgrades change. */
const minSameNames = 0.8;
const minSameVersions = 0.5;

/**
 * Takes over what a source had under its former name, where it is surely the same: the new name has nothing yet, and most
 * packages are the same. The rows stay, and so do their alerts; what else the former source held is written anew. Null where the former name has nothing.
 */
export async function takeOverFormer(
  tx: Transaction,
  project: ProjectKey,
  { source, former, packages }: { source: string; former: string; packages: readonly StackPackage[] },
): Promise<FormerSource | null> {
  if (former === source) return null;
  const old = await loadSource(tx, project, former);
  if (old.length === 0) return null;
  const isTaken = (await loadSource(tx, project, source)).length === 0 && areAlike(old, packages);
  if (isTaken) {
    await tx
      .updateTable('tech_stack_items')
      .set({ source })
      .where(inScope(project))
      .where('source', '=', former)
      .execute();
    for (const table of ['stack_sources', 'unmatched_components', 'reported_vulnerabilities'] as const) {
      await tx.deleteFrom(table).where(inScope(project)).where('source', '=', former).execute();
    }
  }
  return { source: former, taken_over: isTaken, packages: old.length, same: countSame(old, packages, identityOf) };
}

function areAlike(a: readonly StackPackage[], b: readonly StackPackage[]): boolean {
  const partOf = (keyOf: (each: StackPackage) => string) =>
    countSame(a, b, keyOf) / Math.max(new Set(a.map(keyOf)).size, new Set(b.map(keyOf)).size);
  return partOf(packageKey) >= minSameNames && partOf(identityOf) >= minSameVersions;
}

function countSame(
  a: readonly StackPackage[],
  b: readonly StackPackage[],
  keyOf: (each: StackPackage) => string,
): number {
  const others = new Set(b.map(keyOf));
  return [...new Set(a.map(keyOf))].filter((key) => others.has(key)).length;
}

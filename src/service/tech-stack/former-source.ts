import type * as z from 'zod';
import type { techStack } from '../../procedures/tech-stack.js';
import { packageKey } from '../../shared/packages/package-name.js';
import type { InTransaction } from '../jobs/pages.js';
import type { ProjectKey } from '../projects/find-project.js';
import type { TrackedPackage } from './stack-changes.js';
import { identityOf, type StackPackage } from './stack-package.js';
import { loadSource } from './write-stack.js';

type FormerSource = NonNullable<z.output<typeof techStack.sync.output>['former']>;

/** Parts of both sources that must be the same: names, and names with versions, which a few upgrades change. */
const minSameNames = 0.8;
const minSameVersions = 0.5;

/** What a source had under its former name, and whether that becomes the source's. */
interface Former {
  readonly answer: FormerSource;
  /** The packages that are taken over. */
  readonly packages: readonly TrackedPackage[];
}

/**
 * What a source takes over from its former name, where it is surely the same: the new name has nothing yet, and most packages
 * are the same. The rows move, and their alerts stay. Null where the former name has nothing.
 */
export async function findFormer(
  step: InTransaction,
  project: ProjectKey,
  { source, former, packages }: { source: string; former: string; packages: readonly StackPackage[] },
  tracked: readonly TrackedPackage[],
): Promise<Former | null> {
  if (former === source) return null;
  const old = await loadSource(step, project, former);
  if (old.length === 0) return null;
  const isTaken = tracked.length === 0 && areAlike(old, packages);
  const same = countSame(old, packages, identityOf);
  return {
    answer: { source: former, taken_over: isTaken, packages: old.length, same },
    packages: isTaken ? old : [],
  };
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

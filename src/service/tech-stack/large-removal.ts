import { sql } from 'kysely';
import { reasons } from '../../procedures/problem.js';
import { type UnreadPart, type UnreadReason, weakReasons } from '../../procedures/unread.js';
import { packageKey } from '../../shared/packages/package-name.js';
import { normaliseName } from '../../shared/packages/purl.js';
import { formatCount } from '../../shared/text/number-text.js';
import type { Transaction } from '../db/database.js';
import { inScope } from '../db/scope.js';
import { ApiError } from '../http/api-error.js';
import type { ProjectKey } from '../projects/find-project.js';
import type { StackPackage } from './stack-package.js';

export interface Removal {
  /** Packages, whatever their versions. */
  readonly removed: number;
  readonly of: number;
}

/** What a source names: its packages, and what it could not place. */
interface Contents {
  readonly packages: readonly StackPackage[];
  readonly unread: readonly UnreadPart[];
}

/**
 * What a source loses, where that is more than half of its packages, however few they are; else null. A small source can be
 * taken for another one as easily as a large one. An upgrade removes no package, and neither does a range that becomes a version. What is
 * more than half of a whole project is more than half of its source, too.
 */
export function largeRemoval(tracked: Contents, wanted: Contents): Removal | null {
  const kept = new Set(namesIn(wanted));
  const before = new Set(namesIn(tracked));
  const removed = [...before].filter((key) => !kept.has(key)).length;
  return removed * 2 > before.size ? { removed, of: before.size } : null;
}

/** What is named beside the source's own list. */
const besides: readonly UnreadReason[] = [...weakReasons, 'of_runtime', 'other_lock_file'];

/** Tools name what has no package URL in their own ways: only parts of a known ecosystem count. */
function namesIn({ packages, unread }: Contents): string[] {
  const parts = unread.flatMap(({ ecosystem, name, reason }) =>
    ecosystem === null || name === null || besides.includes(reason)
      ? []
      : packageKey({ ecosystem, package_name: normaliseName(ecosystem, name) }),
  );
  return [...packages.map(packageKey), ...parts];
}

/** Refuses a removal: 409 `mostly_removed`, with the numbers. */
export async function refuseRemoval(
  tx: Transaction,
  project: ProjectKey,
  source: string,
  { removed, of }: Removal,
): Promise<never> {
  const { total } = await tx
    .selectFrom('tech_stack_items')
    .where(inScope(project))
    .select(sql<number>`count(distinct (ecosystem, package_name))::integer`.as('total'))
    .executeTakeFirstOrThrow();
  const packages = of === 1 ? 'the only package' : `${formatCount(removed)} of the ${formatCount(of)} packages`;
  const what = `${packages} of the source ${source}`;
  throw new ApiError('conflict', {
    reason: 'mostly_removed',
    removal: { removed, of },
    detail: `${what} would go (the project has ${formatCount(total)}), and nothing was changed: ${reasons.mostly_removed}`,
  });
}

import type { Coverage } from '../../procedures/coverage.js';
import { formatCount } from '../../shared/text/number-text.js';
import { countFindings, isOpen, totalOf } from '../counts/finding-counts.js';
import { coverageOfDomain } from '../coverage/coverage.js';
import { ageInDays, readFeedCoverage } from '../coverage/feed-coverage.js';
import { unfinishedGaps, unreadGapsOfStack } from '../coverage/stack-feeds.js';
import { unreadGapsOfSources } from '../coverage/unread-parts.js';
import type { Transaction } from '../db/database.js';
import type { ProjectKey } from '../projects/find-project.js';
import type { StackPackage } from './stack-package.js';

interface Synced {
  readonly project: ProjectKey;
  readonly source: string;
  readonly packages: readonly Pick<StackPackage, 'ecosystem'>[];
}

/** Which of the packages that were sent could be compared with complete and fresh advisories. */
export async function syncCoverage(
  tx: Transaction,
  { project, source, packages }: Synced,
  now: Date,
): Promise<Coverage> {
  const counts = new Map<StackPackage['ecosystem'], number>();
  for (const { ecosystem } of packages) counts.set(ecosystem, (counts.get(ecosystem) ?? 0) + 1);
  const feeds = await readFeedCoverage(tx, [...counts.keys()], now);
  const unmatched = feeds.flatMap(({ ecosystem, as_of, stale }) => {
    const count = counts.get(ecosystem) ?? 0;
    const sent = `${formatCount(count)} ${ecosystem} ${count === 1 ? 'package' : 'packages'}`;
    if (as_of === null) return [`${sent} not matched: no complete advisories of ${ecosystem} are loaded`];
    return stale ? [`${sent} matched with old advisories: ${formatCount(ageInDays(as_of, now))} days`] : [];
  });
  const empty = packages.length === 0 ? ['no packages were sent'] : [];
  const unread = await unreadGapsOfStack(tx, project, [...counts.keys()]);
  const notPlaced = await unreadGapsOfSources(tx, project, source);
  const unfinished = await unfinishedGaps(tx, project);
  const open = totalOf(await countFindings(tx, project, 'dependencies'), isOpen);
  return coverageOfDomain('dependencies', open > 0, {
    feeds,
    known: true,
    gaps: [...empty, ...unmatched, ...notPlaced, ...unread, ...unfinished],
  });
}

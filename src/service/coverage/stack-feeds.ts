import { sql } from 'kysely';
import type { Coverage } from '../../procedures/coverage.js';
import { type Ecosystem, ecosystems } from '../../shared/packages/ecosystem.js';
import { formatCount } from '../../shared/text/number-text.js';
import type { Transaction } from '../db/database.js';
import { inScope, isProjectOf, type Scope } from '../db/scope.js';
import { ageInDays, feedCoverage, listFeeds } from './feed-coverage.js';
import { stackEcosystems } from './projects-searched.js';
import { unreadGapsOfEcosystems } from './unread-parts.js';

/** The advisories of all ecosystems in a scope's tech stacks, and what is missing in them. */
interface StackFeeds {
  readonly feeds: Coverage['feeds'];
  readonly gaps: string[];
}

/** @param others ecosystems that are asked besides those of the stacks */
export async function stackFeeds(
  tx: Transaction,
  scope: Scope,
  now: Date,
  others: readonly Ecosystem[] = [],
): Promise<StackFeeds> {
  const [own, rows, unread, unfinished] = await Promise.all([
    stackEcosystems(tx, scope, ecosystems),
    listFeeds(tx),
    unreadOfStack(tx, scope),
    unfinishedGaps(tx, scope),
  ]);
  const asked = [...own, ...others];
  const feeds = feedCoverage(rows, asked, now);
  const unnamed = await unreadGapsOfEcosystems(tx, asked, 'unnamed');
  return { feeds, gaps: [...feedGaps(feeds, now), ...unread, ...unnamed, ...unfinished] };
}

/** Stacks whose packages are not all compared with the advisories yet: what has no alert may get one. */
export async function unfinishedGaps(tx: Transaction, scope: Scope): Promise<string[]> {
  const { projects } = await tx
    .selectFrom('projects')
    .select((row) => row.fn.countAll<number>().as('projects'))
    .where(isProjectOf(scope))
    .where('alerts_due_after', 'is not', null)
    .executeTakeFirstOrThrow();
  if (projects === 0) return [];
  return projects === 1
    ? ['a tech stack has just changed, and is still being compared with the advisories']
    : [`${formatCount(projects)} tech stacks have just changed, and are still being compared with the advisories`];
}

/** One gap for all ecosystems without advisories, and one for each whose advisories are old. */
function feedGaps(feeds: Coverage['feeds'], now: Date): string[] {
  const missing = feeds.filter(({ as_of }) => as_of === null).map(({ ecosystem }) => ecosystem);
  const old = feeds.flatMap(({ ecosystem, as_of, stale }) =>
    as_of !== null && stale ? [`${ecosystem} (${ageInDays(as_of, now)} days)`] : [],
  );
  return [
    ...(missing.length === 0 ? [] : [`no complete advisories are loaded for ${missing.join(', ')}`]),
    ...(old.length === 0 ? [] : [`advisories are old: ${old.join(', ')}`]),
  ];
}

/** Records that could not be read and are about a package of the stacks, or may be about any. */
export async function unreadGapsOfStack(tx: Transaction, scope: Scope, asked: readonly Ecosystem[]): Promise<string[]> {
  const gaps = await Promise.all([unreadOfStack(tx, scope), unreadGapsOfEcosystems(tx, asked, 'unnamed')]);
  return gaps.flat();
}

async function unreadOfStack(tx: Transaction, scope: Scope): Promise<string[]> {
  const { rows } = await sql<{ feed: string; count: number }>`
    select feed, count(*)::integer as count from unread_records
    where exists (
      select from unnest(packages) as named (key)
      join tech_stack_items as item on item.ecosystem = split_part(named.key, ' ', 1)
        and item.package_name = substr(named.key, length(split_part(named.key, ' ', 1)) + 2)
      where ${inScope(scope, 'item')}
    )
    group by feed order by feed`.execute(tx);
  return rows.map(
    ({ feed, count }) =>
      `${feed}: ${formatCount(count)} ${count === 1 ? 'record is' : 'records are'} about these packages and cannot be read`,
  );
}

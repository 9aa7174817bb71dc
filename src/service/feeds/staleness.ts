import type * as z from 'zod';
import type { intelligence } from '../../procedures/intelligence.js';
import { type FeedRow, listFeeds } from '../coverage/feed-rows.js';
import { isFresh } from '../coverage/freshness.js';
import type { Transaction } from '../db/database.js';

/** How old the intelligence is, as `check_package` answers it. */
type IntelligenceAge = z.output<typeof intelligence.checkPackage.output>['as_of'];

export async function readIntelligenceAge(tx: Transaction, now: Date): Promise<IntelligenceAge> {
  return intelligenceAge(await listFeeds(tx), now);
}

/** The age of each kind of feed. A feed that was never loaded completely does not count. */
export function intelligenceAge(feeds: readonly FeedRow[], now: Date): IntelligenceAge {
  const advisories = feeds.filter(({ name }) => name.startsWith('osv:'));
  const epss = feeds.filter(({ name }) => name === 'epss');
  const kev = feeds.filter(({ name }) => name === 'kev');
  const stale = [advisories, epss, kev].some((kind) => !kind.some((feed) => isFresh(feed, now)));
  return { advisories: newest(advisories), epss: dayOf(newest(epss)), kev: dayOf(newest(kev)), stale };
}

function newest(feeds: readonly FeedRow[]): Date | null {
  const times = feeds.flatMap(({ publishedAt }) => (publishedAt === null ? [] : [publishedAt.getTime()]));
  return times.length === 0 ? null : new Date(Math.max(...times));
}

function dayOf(date: Date | null): string | null {
  return date === null ? null : date.toISOString().slice(0, 10);
}

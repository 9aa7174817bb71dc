import type * as z from 'zod';
import type { intelligence } from '../../procedures/intelligence.js';
import type { Transaction } from '../db/database.js';
import { type FeedRow, listFeeds } from './feeds-table.js';

/** How old the intelligence is, as `check_package` answers it. */
type IntelligenceAge = z.output<typeof intelligence.checkPackage.output>['as_of'];

const maxFreshMs = 7 * 24 * 60 * 60 * 1000;

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

/**
 * A feed that its origin confirmed within the last days is fresh even without new content: CISA sometimes publishes
 * nothing for a week. A file loaded by hand is as old as its content.
 */
function isFresh({ publishedAt, loadedAt, validator }: FeedRow, now: Date): boolean {
  if (publishedAt === null) return false;
  const asOf = validator === null || publishedAt > loadedAt ? publishedAt : loadedAt;
  return now.getTime() - asOf.getTime() <= maxFreshMs;
}

function newest(feeds: readonly FeedRow[]): Date | null {
  const times = feeds.flatMap(({ publishedAt }) => (publishedAt === null ? [] : [publishedAt.getTime()]));
  return times.length === 0 ? null : new Date(Math.max(...times));
}

function dayOf(date: Date | null): string | null {
  return date === null ? null : date.toISOString().slice(0, 10);
}

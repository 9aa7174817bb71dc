import type * as z from 'zod';
import type { intelligence } from '../../procedures/intelligence.js';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { type FeedRow, feedCoverage, isFresh } from '../coverage/feed-coverage.js';
import type { FeedKind } from './feed.js';

/** How old the intelligence is, as `check_package` answers it. */
type IntelligenceAge = z.output<typeof intelligence.checkPackage.output>['as_of'];

/** As `intelligenceAge`, with the age of the advisories of one ecosystem, from feeds that have all of them. */
export function ageFor(feeds: readonly FeedRow[], ecosystem: Ecosystem, now: Date): IntelligenceAge {
  const advisories = feedCoverage(feeds, [ecosystem], now);
  const stale =
    advisories.some((feed) => feed.stale) || !isFreshIn(feeds, 'epss', now) || !isFreshIn(feeds, 'kev', now);
  return { ...intelligenceAge(feeds, now), advisories: advisories[0]?.as_of ?? null, stale };
}

/** The age of each kind of feed. A feed that was never loaded completely does not count. */
export function intelligenceAge(feeds: readonly FeedRow[], now: Date): IntelligenceAge {
  const advisories = ofKind(feeds, 'osv');
  const stale = (['osv', 'epss', 'kev'] as const).some((kind) => !isFreshIn(feeds, kind, now));
  return {
    advisories: newest(advisories),
    epss: dayOf(newest(ofKind(feeds, 'epss'))),
    kev: dayOf(newest(ofKind(feeds, 'kev'))),
    stale,
  };
}

function ofKind(feeds: readonly FeedRow[], kind: FeedKind): FeedRow[] {
  return feeds.filter(({ name }) => (kind === 'osv' ? name.startsWith('osv:') : name === kind));
}

function isFreshIn(feeds: readonly FeedRow[], kind: FeedKind, now: Date): boolean {
  return ofKind(feeds, kind).some((feed) => isFresh(feed, now));
}

function newest(feeds: readonly FeedRow[]): Date | null {
  const times = feeds.flatMap(({ publishedAt }) => (publishedAt === null ? [] : [publishedAt.getTime()]));
  return times.length === 0 ? null : new Date(Math.max(...times));
}

function dayOf(date: Date | null): string | null {
  return date === null ? null : date.toISOString().slice(0, 10);
}

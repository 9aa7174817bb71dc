import { ecosystems } from '../../shared/packages/ecosystem.js';
import { FeedError, type FeedKind, feedNameOf } from './feed.js';

export interface FeedOrigin {
  readonly kind: FeedKind;
  /** The ecosystem of an OSV feed; empty for the others. */
  readonly part: string;
  readonly url: string;
}

const osvFeeds: readonly FeedOrigin[] = ecosystems.map((part) => ({
  kind: 'osv',
  part,
  url: `https://storage.googleapis.com/osv-vulnerabilities/${part}/all.zip`,
}));

/** OSV's archive of each ecosystem (google.github.io/osv.dev/data), FIRST's daily scores, CISA's catalogue. */
export const publicFeeds: readonly FeedOrigin[] = [
  ...osvFeeds,
  { kind: 'epss', part: '', url: 'https://epss.empiricalsecurity.com/epss_scores-current.csv.gz' },
  {
    kind: 'kev',
    part: '',
    url: 'https://www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json',
  },
];

/** The feeds named by kind (`osv`) or in full (`osv:npm`); all where no name is given. Throws for an unknown name. */
export function originsOf(origins: readonly FeedOrigin[], only: readonly string[]): FeedOrigin[] {
  if (only.length === 0) return [...origins];
  const isNamed = (origin: FeedOrigin, name: string) => origin.kind === name || feedNameOf(origin) === name;
  if (only.some((name) => !origins.some((origin) => isNamed(origin, name)))) {
    const names = new Set(origins.flatMap((origin) => [origin.kind, feedNameOf(origin)]));
    throw new FeedError(`there is no such feed; there are ${[...names].join(', ')}`);
  }
  return origins.filter((origin) => only.some((name) => isNamed(origin, name)));
}

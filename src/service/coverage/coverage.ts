import { type Coverage, type CoverageStatus, maxGapLength, maxGaps } from '../../procedures/coverage.js';
import { type Domain, domains } from '../../procedures/risk.js';
import { compareText } from '../../shared/text/compare-text.js';
import { clip } from '../../shared/text/cut.js';
import { formatCount } from '../../shared/text/number-text.js';
import { type FindingCount, isOpen, totalOf } from '../counts/finding-counts.js';
import type { Transaction } from '../db/database.js';
import type { Scope } from '../db/scope.js';
import { ageInDays } from './feed-coverage.js';
import { imagePartGaps, type ProjectsSearched, projectsGap, projectsSearched } from './projects-searched.js';
import { stackFeeds } from './stack-feeds.js';
import { unreadGapsOfSources } from './unread-parts.js';

/**
 * A coverage with its status. `affected` where any domain is; `not_affected` only where every domain that was searched says
 * so, every feed is there and fresh, the name is known, and there is no gap; else `unknown`.
 */
export function toCoverage(parts: Omit<Coverage, 'status'>): Coverage {
  const byDomain = parts.domains.toSorted((a, b) => domains.indexOf(a.domain) - domains.indexOf(b.domain));
  return {
    status: statusOf(parts),
    domains: byDomain,
    feeds: parts.feeds.toSorted((a, b) => compareText(a.ecosystem, b.ecosystem)),
    known: parts.known,
    gaps: boundedGaps(parts.gaps),
  };
}

/** The coverage of an answer from one domain, which has the status of the whole. */
export function coverageOfDomain(
  domain: Domain,
  isAffected: boolean,
  parts: Omit<Coverage, 'status' | 'domains'>,
): Coverage {
  const { status, ...rest } = toCoverage({
    ...parts,
    domains: [{ domain, status: isAffected ? 'affected' : 'not_affected' }],
  });
  return { ...rest, status, domains: [{ domain, status }] };
}

function statusOf({ domains, feeds, known, gaps }: Omit<Coverage, 'status'>): CoverageStatus {
  if (domains.some(({ status }) => status === 'affected')) return 'affected';
  const isSearched = domains.length > 0 && domains.every(({ status }) => status === 'not_affected');
  const isFresh = feeds.every(({ as_of, stale }) => as_of !== null && !stale);
  const asksFeeds = domains.some(({ domain }) => domain === 'dependencies');
  if (asksFeeds && feeds.length === 0) return 'unknown';
  return isSearched && isFresh && known && gaps.length === 0 ? 'not_affected' : 'unknown';
}

/** Without repetitions. Where there are too many, the last one counts those left out. */
function boundedGaps(gaps: readonly string[]): string[] {
  const all = [...new Set(gaps.map((gap) => clip(gap, maxGapLength)))];
  if (all.length <= maxGaps) return all;
  const shown = all.slice(0, maxGaps - 1);
  return [...shown, `and ${all.length - shown.length} more`];
}

/** The question to one domain. */
interface Asked {
  readonly scope: Scope;
  readonly domain: Domain;
  /** The repository, site or image that was asked for; undefined for all. */
  readonly source?: string | undefined;
}

/** Days after which the last scan says little about today. */
const maxScanDays = 30;

/**
 * What stands behind "nothing open" in one domain: each project was looked at, the last scans are no older than 30 days, and
 * for dependencies the advisories of all their ecosystems are complete and fresh. `affected` where anything is open.
 *
 * @param counts the domain's findings in the scope
 */
export async function domainCoverage(
  tx: Transaction,
  asked: Asked,
  now: Date,
  counts: Promise<readonly FindingCount[]>,
): Promise<Coverage> {
  return coverageWith(tx, asked, { open: counts.then((rows) => totalOf(rows, isOpen)), gaps: [] }, now);
}

/** The filters of a list can leave something open where no row passes them. */
export interface FilterGaps {
  readonly gaps: readonly string[];
  /** False: nothing that we hold has the name that was asked for. */
  readonly known?: boolean;
}

/** Open findings that a list leaves out because of what people, or the report itself, did with them. */
export function leftOut(open: number): string[] {
  return open === 0 ? [] : [`${formatCount(open)} open, left out by the filter`];
}

/**
 * The coverage of a list without rows; null for a list that has some. It answers what the list asks: nothing passes the filters. So it is
 * never `affected`, and `unknown` where something may pass that is not known to.
 *
 * @param gapsOf what the filters leave open; only asked of a list without rows
 */
export async function listCoverage(
  tx: Transaction,
  total: number,
  asked: Asked,
  now: Date,
  gapsOf: () => Promise<FilterGaps> = async () => ({ gaps: [] }),
): Promise<Coverage | null> {
  return total > 0 ? null : coverageWith(tx, asked, { open: 0, ...(await gapsOf()) }, now);
}

/** The same for an answer whose open findings and gaps its domain knows better. */
export async function coverageWith(
  tx: Transaction,
  asked: Asked,
  { open, gaps, known = true }: FilterGaps & { readonly open: number | Promise<number> },
  now: Date,
): Promise<Coverage> {
  const { scope, domain, source } = asked;
  const [count, searched, parts, stack, unread] = await Promise.all([
    open,
    projectsSearched(tx, scope, domain, source),
    domain === 'containers' ? imagePartGaps(tx, scope, source) : [],
    domain === 'dependencies' ? stackFeeds(tx, scope, now) : { feeds: [], gaps: [] },
    domain === 'dependencies' ? unreadGapsOfSources(tx, scope) : [],
  ]);
  return coverageOfDomain(domain, count > 0, {
    feeds: stack.feeds,
    known: known && searched.searched > 0,
    gaps: [...gaps, ...searchGaps(searched, asked, now), ...parts, ...unread, ...stack.gaps],
  });
}

/** Projects where nothing was looked at, and scans that are old. */
function searchGaps(searched: ProjectsSearched, { domain, source, scope }: Asked, now: Date): string[] {
  const { oldest } = searched;
  const isUnknown = source !== undefined && searched.searched === 0;
  const gaps = isUnknown ? [`${source} was never scanned`] : projectsGap(searched, domain);
  const days = oldest === null ? 0 : ageInDays(oldest, now);
  if (oldest !== null && days > maxScanDays) {
    const whose = scope.projectId === undefined ? 'the oldest last scan' : 'the last scan';
    gaps.push(`${domain}: ${whose} is of ${oldest.toISOString().slice(0, 10)}, ${formatCount(days)} days ago`);
  }
  return gaps;
}

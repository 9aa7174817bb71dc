import type { BadRecord } from './feed.js';
import type { EmitFeedEvent, FeedEvent } from './feed-event.js';
import type { FeedStatus } from './feed-status.js';
import type { LoadReport } from './load-report.js';

/** Where progress is written. A terminal's last line is overwritten; elsewhere every tenth becomes a line. */
export interface ProgressStream {
  readonly isTTY?: boolean | undefined;
  readonly write: (text: string) => unknown;
}

const numbers = new Intl.NumberFormat('en');

/** Prints events for people: progress and failures on `err`, results on `out`. */
export function createPrinter(out: ProgressStream, err: ProgressStream): EmitFeedEvent {
  let shownTenth = -1;
  let hasOpenLine = false;
  const closeLine = () => {
    if (hasOpenLine) err.write('\r\u001b[K');
    hasOpenLine = false;
    shownTenth = -1;
  };
  return (event) => {
    if (event.type !== 'progress') {
      closeLine();
      (event.type === 'failed' ? err : out).write(`${eventText(event)}\n`);
      return;
    }
    const line = `${event.feed}: ${numbers.format(event.records)} records, ${Math.floor(event.fraction * 100)} %`;
    const tenth = Math.floor(event.fraction * 10);
    if (err.isTTY === true) {
      err.write(`\r${line}\u001b[K`);
      hasOpenLine = true;
    } else if (tenth > shownTenth) {
      err.write(`${line}\n`);
      shownTenth = tenth;
    }
  };
}

function eventText(event: Exclude<FeedEvent, { type: 'progress' }>): string {
  switch (event.type) {
    case 'loaded':
      return [reportText(event.report), ...badLines(event.report.bad, event.report.counts.bad)].join('\n');
    case 'current':
      return `${event.feed}: nothing new`;
    case 'failed':
      return [`${event.feed}: failed: ${event.problem}`, ...badLines(event.bad, event.bad.length)].join('\n');
  }
}

function reportText({ feed, outcome, version, publishedAt, counts, alerts }: LoadReport): string {
  const age = [version, publishedAt === null ? null : `of ${publishedAt.toISOString().slice(0, 10)}`];
  const name = [feed, ...age.filter((each) => each !== null)].join(' ');
  if (outcome === 'same') return `${name}: already loaded, nothing written`;
  if (outcome === 'older') return `${name}: what is loaded is newer than this file, nothing written`;
  const changed = countsText(alerts);
  return `${name}: ${countsText(explained(counts))}${changed === '' ? '' : `; alerts: ${changed}`}`;
}

/** The counts with the two reasons for which a record is skipped. */
function explained({ skipped, unmatched, bad, ...counts }: LoadReport['counts']): Readonly<Record<string, number>> {
  return {
    ...counts,
    'older than what is stored': skipped - unmatched,
    'of ecosystems that are not matched': unmatched,
    bad,
  };
}

/** `3 added, 1,200 unchanged`: the counts that are not 0. */
function countsText(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).flatMap(([what, count]) =>
    count > 0 ? `${numbers.format(count)} ${what}` : [],
  );
  return parts.join(', ');
}

function badLines(bad: readonly BadRecord[], total: number): string[] {
  const lines = bad.map(
    ({ file, at, field, problem }) => `  ${file}, ${at}: ${field === '' ? '' : `${field} `}${problem}`,
  );
  return total > bad.length ? [...lines, `  and ${numbers.format(total - bad.length)} more`] : lines;
}

export function statusText({ feeds, stale }: FeedStatus): string {
  if (feeds.length === 0) return 'No feed is loaded: run postern feeds sync, or postern feeds load.';
  const rows = feeds.map((feed) => [
    feed.name,
    feed.as_of?.toISOString().slice(0, 10) ?? '-',
    feed.version ?? '-',
    numbers.format(feed.records),
    feed.covers.join(',') || '-',
    statusOf(feed),
  ]);
  const table = [['feed', 'as of', 'version', 'records', 'covers', ''], ...rows];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const unread = feeds.flatMap(({ name, unread, unread_records }) =>
    unread === 0 ? [] : [`${name}: ${numbers.format(unread)} unread`, ...unreadLines(unread_records, unread)],
  );
  const warning = stale ? ['Stale: a kind of feed (OSV, EPSS, KEV) is absent or older than 7 days.'] : [];
  return [...lines, ...unread, ...warning].join('\n');
}

function statusOf({ complete, stale, loaded_at }: FeedStatus['feeds'][number]): string {
  if (!complete) return 'not loaded to its end: load it again';
  return `loaded ${loaded_at.toISOString().slice(0, 16)}Z${stale ? ', stale' : ''}`;
}

function unreadLines(unread: FeedStatus['feeds'][number]['unread_records'], total: number): string[] {
  const lines = unread.map(({ at, field, problem, packages }) => {
    const about = packages === null ? 'of unknown packages' : packages.length === 0 ? '' : `of ${packages.join(', ')}`;
    return `  ${at}: ${field === '' ? '' : `${field} `}${problem}${about === '' ? '' : ` (${about})`}`;
  });
  return total > unread.length ? [...lines, `  and ${numbers.format(total - unread.length)} more`] : lines;
}

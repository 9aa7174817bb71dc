import { api, client, type RouterOutputs, useList } from '../../../api/client.js';
import { Button } from '../../../components/button/button.js';
import { calendarDate } from '../../../components/format/format.js';
import { Loaded, Skeleton } from '../../../components/page/page.js';
import { Time } from '../../../components/tip/tip.js';
import { bandWords, overrideWords, resolutionWords, tierWords } from '../../../words.js';
import styles from './detail.module.css';
import { type Alert, Part } from './detail-part.js';

/** What happened to the alert, newest first, and since when that is known. */
export function History({ alert: { project_id, id } }: { readonly alert: Alert }) {
  const input = { project_id, alert_id: id };
  const { query } = useList(api.alerts.listHistory, client.alerts.listHistory, input);
  return (
    <Part title="History">
      <Loaded query={query} skeleton={<Skeleton rows={3} height={24} />}>
        {({ pages: [first, ...others] }) => (
          <>
            <ol className={styles.history}>
              {[first, ...others].flatMap((page) =>
                (page?.items ?? []).map((entry) => {
                  const { what, note } = historyText(entry);
                  return (
                    <li key={entry.id}>
                      <span className={styles.when}>
                        {entry.exact ? <Time at={entry.at} /> : calendarDate(entry.at.toISOString().slice(0, 10))}
                      </span>
                      <span>
                        {what}
                        {note !== null && <q className={styles.note}>{note}</q>}
                      </span>
                    </li>
                  );
                }),
              )}
            </ol>
            {first?.items.length === 0 && <p>Nothing is known to have happened to it.</p>}
            {query.hasNextPage && (
              <Button size="small" busy={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
                Show more
              </Button>
            )}
            {first?.complete === false && (
              <p className={styles.quiet}>
                Complete since <Time at={first.known_since} />; of what happened before, some may be missing.
              </p>
            )}
          </>
        )}
      </Loaded>
    </Part>
  );
}

type HistoryEntry = RouterOutputs['alerts']['listHistory']['items'][number];
type VerdictChange = Extract<HistoryEntry, { kind: 'verdict_changed' }>;

const causes: Readonly<Record<VerdictChange['because'][number], string>> = {
  usage: 'its usage',
  kev: 'the catalogue of known exploited vulnerabilities',
  epss: 'EPSS',
  cvss: 'CVSS',
  exposure: 'the project’s exposure',
  versions: 'the installed versions',
  formula: 'the formula',
};

const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** The event, with the words of the person who caused it. */
function historyText(entry: HistoryEntry): { readonly what: string; readonly note: string | null } {
  switch (entry.kind) {
    case 'appeared':
      return { what: 'Appeared', note: null };
    case 'reopened':
      return { what: 'Open again', note: null };
    case 'resolved':
      return {
        what: `Resolved${entry.resolution === null ? '' : `: ${resolutionWords[entry.resolution]}`}`,
        note: null,
      };
    case 'acknowledged':
      return { what: `Acknowledged by ${entry.by.name}`, note: entry.note };
    case 'unacknowledged':
      return { what: `Taken back by ${entry.by.name}`, note: null };
    case 'tier_changed':
      return { what: `Tier ${tierWords[entry.before]} became ${tierWords[entry.after]}`, note: null };
    case 'verdict_changed':
      return { what: verdictText(entry), note: null };
    case 'override_set':
      return { what: `Overruled by ${entry.by.name}${ruledText(entry.verdict)}`, note: entry.reason };
    case 'override_cleared':
      return { what: `Override cleared by ${entry.by.name}${ruledText(entry.verdict)}`, note: entry.reason };
    case 'override_expired':
      return { what: `Override ended${ruledText(entry.verdict)}`, note: entry.reason };
  }
}

function ruledText(verdict: keyof typeof overrideWords | null): string {
  return verdict === null ? '' : `: ${overrideWords[verdict].toLowerCase()}`;
}

function verdictText({ before, after, because }: VerdictChange): string {
  const why = because.length === 0 ? '' : `, because of ${list.format(because.map((cause) => causes[cause]))}`;
  return `Machine verdict ${judgedText(before)} became ${judgedText(after)}${why}`;
}

function judgedText({ band, effective_priority }: VerdictChange['before']): string {
  const score = effective_priority === null ? '' : ` (${effective_priority.toFixed(1)})`;
  return `${bandWords[band].toLowerCase()}${score}`;
}

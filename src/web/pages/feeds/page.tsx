import { useQuery } from '@tanstack/react-query';
import { api, type RouterOutputs } from '../../api/client.js';
import { Tag } from '../../components/badge/badge.js';
import { CopyText } from '../../components/copy/copy-button.js';
import { ourCommand } from '../../components/copy/our-command.js';
import { count } from '../../components/format/format.js';
import { Empty, Loaded, Page, Section } from '../../components/page/page.js';
import { Time } from '../../components/tip/tip.js';
import { feedsAnswer } from './answer.js';
import styles from './feeds.module.css';

export default function FeedsPage() {
  const query = useQuery(api.intelligence.getFeeds.queryOptions({}));
  return (
    <Page title="Feeds" answer={query.data ? feedsAnswer(query.data) : 'What the answers are made from.'}>
      <Loaded query={query}>
        {(answer) => (
          <>
            <Section title="Ecosystems">
              <Ecosystems ecosystems={answer.ecosystems} />
            </Section>
            <Section title="Feeds that are loaded">
              {answer.feeds.length === 0 ? (
                <Empty title="No feed is loaded.">
                  <p>Without advisories nothing can be matched, and no answer of “not affected” can be given.</p>
                </Empty>
              ) : (
                <FeedTable feeds={answer.feeds} />
              )}
            </Section>
            <Section title="How feeds are loaded">
              <p>
                {answer.next_sync_at === null ? (
                  'No daily load is scheduled. The operator of this server loads them:'
                ) : (
                  <>
                    The next daily load begins <Time at={answer.next_sync_at} />. The operator of this server can load
                    them at once:
                  </>
                )}
              </p>
              <CopyText text={ourCommand('postern feeds sync')} label="the command that loads the feeds" />
              {answer.next_sync_at === null && (
                <p>
                  With <code>FEEDS_SYNC=true</code> in the server’s environment they are loaded every day.
                </p>
              )}
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  );
}

type Ecosystem = RouterOutputs['intelligence']['getFeeds']['ecosystems'][number];

/** Each ecosystem whose packages can be tracked: those in use first, those without advisories first among them. */
function Ecosystems({ ecosystems }: { readonly ecosystems: readonly Ecosystem[] }) {
  const rank = ({ tracked, as_of }: Ecosystem) => (tracked ? 0 : 2) + (as_of === null ? 0 : 1);
  const sorted = ecosystems.toSorted((a, b) => rank(a) - rank(b));
  return (
    <div className={styles.scroll}>
      <table className={styles.table} aria-label="Ecosystems">
        <thead>
          <tr>
            <th scope="col">Ecosystem</th>
            <th scope="col">Tracked</th>
            <th scope="col">Advisories</th>
            <th scope="col">What follows</th>
          </tr>
        </thead>
        <tbody>
          {sorted.map((each) => (
            <tr key={each.ecosystem}>
              <th scope="row">{each.ecosystem}</th>
              <td>{each.tracked ? 'yes' : 'no'}</td>
              <td>
                <Freshness {...each} />
              </td>
              <td className={styles.text}>{consequence(each)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Freshness({ as_of, stale, tracked }: Ecosystem) {
  if (as_of === null) return <Tag look={tracked ? 'danger' : 'plain'}>not covered</Tag>;
  return (
    <>
      <Tag look={stale ? 'warn' : 'good'}>{stale ? 'old' : 'fresh'}</Tag> <Time at={as_of} />
    </>
  );
}

function consequence({ as_of, stale, tracked }: Ecosystem): string {
  if (as_of === null && tracked) return 'Alerts may be missing, and “unknown” is answered in place of “not affected”.';
  if (as_of === null) return 'Load it before you track packages of it.';
  if (stale) return 'Newer advisories are missing, so “unknown” is answered in place of “not affected”.';
  return tracked ? 'Alerts are complete as of this date.' : 'Packages of it can be checked and tracked.';
}

type Feed = RouterOutputs['intelligence']['getFeeds']['feeds'][number];

const kindWords: Readonly<Record<Feed['kind'], string>> = {
  osv: 'advisories (OSV)',
  epss: 'probability of exploitation (EPSS)',
  kev: 'known exploited vulnerabilities (KEV)',
  symbols: 'vulnerable functions',
};

function FeedTable({ feeds }: { readonly feeds: readonly Feed[] }) {
  return (
    <div className={styles.scroll}>
      <table className={styles.table} aria-label="Feeds">
        <thead>
          <tr>
            <th scope="col">Feed</th>
            <th scope="col">Of</th>
            <th scope="col">State</th>
            <th scope="col">Loaded</th>
            <th scope="col" className={styles.end}>
              Records
            </th>
            <th scope="col">Covers</th>
          </tr>
        </thead>
        <tbody>
          {feeds.map((feed) => (
            <tr key={feed.name}>
              <th scope="row">
                {feed.name}
                <span className={styles.quiet}>{kindWords[feed.kind]}</span>
              </th>
              <td>{feed.as_of === null ? 'no date' : <Time at={feed.as_of} />}</td>
              <td>
                <FeedState {...feed} />
              </td>
              <td>
                <Time at={feed.loaded_at} />
              </td>
              <td className={styles.end}>
                {count(feed.records)}
                {feed.unread > 0 && <span className={styles.quiet}>{count(feed.unread)} not readable</span>}
              </td>
              <td className={styles.text}>{coverText(feed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function FeedState({ complete, stale }: Feed) {
  if (!complete) return <Tag look="danger">incomplete: being loaded, or interrupted</Tag>;
  return stale ? <Tag look="warn">older than 7 days</Tag> : <Tag look="good">fresh</Tag>;
}

function coverText({ kind, covers }: Feed): string {
  if (covers.length > 0) return covers.join(', ');
  return kind === 'osv' ? 'no ecosystem completely' : 'all that it lists';
}

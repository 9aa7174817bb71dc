import type { RouterOutputs } from '../../../client/index.js';
import { Tag } from '../../components/badge/badge.js';
import { count } from '../../components/number/number.js';
import { Time } from '../../components/time/time.js';
import styles from './feeds.module.css';

type Feed = RouterOutputs['intelligence']['getFeeds']['feeds'][number];

const kindWords: Readonly<Record<Feed['kind'], string>> = {
  osv: 'advisories (OSV)',
  epss: 'probability of exploitation (EPSS)',
  kev: 'known exploited vulnerabilities (KEV)',
  symbols: 'vulnerable functions',
};

/** What is loaded: how much, and how old. */
export function FeedTable({ feeds }: { readonly feeds: readonly Feed[] }) {
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

import type { RouterOutputs } from '../../../client/index.js';
import { Tag } from '../../components/badge/badge.js';
import { Time } from '../../components/time/time.js';
import styles from './feeds.module.css';

type Ecosystem = RouterOutputs['intelligence']['getFeeds']['ecosystems'][number];

/** Each ecosystem whose packages can be tracked: those in use first, those without advisories first among them. */
export function Ecosystems({ ecosystems }: { readonly ecosystems: readonly Ecosystem[] }) {
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

import { CircleAlert, CircleHelp, ShieldCheck } from 'lucide-react';
import { domainWords } from '../../words.js';
import { Time } from '../tip/tip.js';
import styles from './coverage.module.css';
import { type CoverageAnswer, coverageSentence, statusWords } from './sentence.js';

const icons = { affected: CircleAlert, not_affected: ShieldCheck, unknown: CircleHelp };

/**
 * What an answer was made from: its status and what is missing in one sentence, and all of it behind a disclosure.
 * Draws nothing for null, which lists with rows have.
 */
export function Coverage({ coverage }: { readonly coverage: CoverageAnswer | null }) {
  if (coverage === null) return null;
  const Icon = icons[coverage.status];
  return (
    <div className={styles.coverage} data-status={coverage.status}>
      <Icon aria-hidden="true" />
      <div className={styles.text}>
        <p>
          <strong>{statusWords[coverage.status]}.</strong> {coverageSentence(coverage)}
        </p>
        <details>
          <summary>What was looked at, and how fresh it is</summary>
          <Details coverage={coverage} />
        </details>
      </div>
    </div>
  );
}

function Details({ coverage: { domains, feeds, known, gaps } }: { readonly coverage: CoverageAnswer }) {
  return (
    <dl className={styles.details}>
      <div>
        <dt>Searched</dt>
        <dd>
          {domains.length === 0 && 'nothing'}
          <ul>
            {domains.map(({ domain, status }) => (
              <li key={domain}>
                {domainWords[domain]}: {statusWords[status].toLowerCase()}
              </li>
            ))}
          </ul>
        </dd>
      </div>
      <div>
        <dt>Advisories</dt>
        <dd>
          {feeds.length === 0 && 'none were asked'}
          <ul>
            {feeds.map(({ ecosystem, as_of, stale }) => (
              <li key={ecosystem} data-stale={as_of === null || stale || undefined}>
                {ecosystem}: {as_of === null ? 'none loaded' : <Time at={as_of} />}
                {as_of !== null && stale && ', older than 7 days'}
              </li>
            ))}
          </ul>
        </dd>
      </div>
      <div>
        <dt>Not looked at</dt>
        <dd>
          {gaps.length === 0 && known && 'nothing is missing'}
          <ul>
            {gaps.map((gap) => (
              <li key={gap}>{gap}</li>
            ))}
            {!known && <li>nothing we hold names what was asked</li>}
          </ul>
        </dd>
      </div>
    </dl>
  );
}

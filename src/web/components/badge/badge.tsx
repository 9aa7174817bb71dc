import type { Tier } from '../../../shared/vulnerability-terms.js';
import { type Band, bandMeanings, bandWords, tierWords } from '../../words.js';
import { classNames } from '../class-names.js';
import { Tip } from '../tip/tip.js';
import styles from './badge.module.css';

/** What a vulnerability means here: the specification's five words. */
export function BandBadge({ band }: { readonly band: Band }) {
  return (
    <Tip text={bandMeanings[band]}>
      <span className={classNames(styles.badge, styles[band])}>{bandWords[band]}</span>
    </Tip>
  );
}

/** What the advisory is: a dot whose shape differs by tier, with its word. */
export function TierDot({ tier, compact = false }: { readonly tier: Tier; readonly compact?: boolean }) {
  return (
    <span className={styles.tier}>
      <svg className={classNames(styles.dot, styles[tier])} viewBox="0 0 12 12" aria-hidden="true">
        {tier === 'RED' && <circle cx="6" cy="6" r="5" />}
        {tier === 'YELLOW' && <path d="M6 .8 11.2 10.400H.8z" />}
        {tier === 'GREEN' && <circle cx="6" cy="6" r="3.800" className={styles.ring} />}
      </svg>
      <span className={compact ? 'visually-hidden' : undefined}>{tierWords[tier]}</span>
    </span>
  );
}

/** A short word about a thing: scope, state, kind. */
export function Tag({
  children,
  look = 'plain',
}: {
  readonly children: React.ReactNode;
  readonly look?: 'plain' | 'good' | 'warn' | 'danger';
}) {
  return <span className={classNames(styles.tag, styles[look])}>{children}</span>;
}

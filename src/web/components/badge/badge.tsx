import type { Tier } from '../../../shared/vulnerability-terms.js';
import { type Band, bandMeanings, bandWords, tierWords } from '../../words.js';
import { classNames } from '../class-names.js';
import { count } from '../format/format.js';
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

interface PriorityProps {
  /** EffectivePriority, 0-100; null where there is no verdict. */
  readonly value: number | null;
  /** The parts of the number, and their sources. */
  readonly source?: string;
}

const explained = 'EffectivePriority, 0 to 100: the risk of the vulnerability x its usage here x the exposure.';

/** EffectivePriority: a number, and a bar of the same length. */
export function Priority({ value, source = explained }: PriorityProps) {
  if (value === null) {
    return (
      <Tip text="Without a usage report there is no EffectivePriority.">
        <span className={styles.none}>
          <span aria-hidden="true">–</span>
          <span className="visually-hidden">no EffectivePriority</span>
        </span>
      </Tip>
    );
  }
  return (
    <Tip text={source}>
      <span className={styles.priority}>
        <span>{value.toFixed(1)}</span>
        <Bar share={value / 100} />
      </span>
    </Tip>
  );
}

/** A share of 1 as a bar. The number beside it says the same. */
export function Bar({ share, wide = false }: { readonly share: number; readonly wide?: boolean }) {
  return (
    <svg className={wide ? styles.wide : styles.bar} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect className={styles.track} width="100" height="6" rx="2" />
      <rect className={styles.fill} width={Math.min(1, Math.max(0, share)) * 100} height="6" rx="2" />
    </svg>
  );
}

interface TierCountsProps {
  readonly counts: { readonly red: number; readonly yellow: number; readonly green: number };
  /** They are changes: each has its sign. */
  readonly signed?: boolean;
}

const shapes = { red: '●', yellow: '▲', green: '○' } as const;
const tiers = ['red', 'yellow', 'green'] as const;

export function TierCounts({ counts, signed = false }: TierCountsProps) {
  return (
    <span className={styles.counts}>
      {tiers.map((tier) => (
        <span key={tier} className={styles[tier]} data-none={counts[tier] === 0 || undefined}>
          <span aria-hidden="true">{shapes[tier]}</span> {signed && counts[tier] > 0 && '+'}
          {count(counts[tier])}
          <span className="visually-hidden"> {tier}</span>
        </span>
      ))}
    </span>
  );
}

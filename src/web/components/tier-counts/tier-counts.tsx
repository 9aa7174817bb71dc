import { count } from '../number/number.js';
import styles from './tier-counts.module.css';

interface TierCountsProps {
  readonly counts: { readonly red: number; readonly yellow: number; readonly green: number };
  /** They are changes: each has its sign. */
  readonly signed?: boolean;
}

const shapes = { red: '●', yellow: '▲', green: '○' } as const;
const tiers = ['red', 'yellow', 'green'] as const;

/** How many there are of each tier, side by side. */
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

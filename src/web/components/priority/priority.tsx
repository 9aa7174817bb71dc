import { Tip } from '../tip/tip.js';
import styles from './priority.module.css';

interface PriorityProps {
  /** EffectivePriority, 0-100; null where there is no verdict. */
  readonly value: number | null;
  /** What the number is made of, and where from. */
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

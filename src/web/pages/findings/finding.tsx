import type { RouterOutputs } from '../../../client/index.js';
import { Tag, TierDot } from '../../components/badge/badge.js';
import { Time } from '../../components/time/time.js';
import { WebLink } from '../../components/web-link/web-link.js';
import { findingStateWords, severityWords } from '../../words.js';
import styles from './finding.module.css';

/** What findings of all domains have in common, as that of code has it. */
export type Finding = RouterOutputs['sast']['listFindings']['items'][number];

export function FindingState({ state }: { readonly state: Finding['state'] }) {
  const looks = { open: 'plain', fixed: 'good', suppressed: 'warn' } as const;
  return <Tag look={looks[state]}>{findingStateWords[state]}</Tag>;
}

/** Tier, severity and state in a line, as a detail begins. */
export function FindingSummary({ tier, severity, state }: Pick<Finding, 'tier' | 'severity' | 'state'>) {
  return (
    <>
      <TierDot tier={tier} />
      <span>{severityWords[severity]} severity</span>
      <FindingState state={state} />
    </>
  );
}

/** CWE-89 as a link to what it means. */
export function Weaknesses({ cwes }: { readonly cwes: readonly string[] }) {
  if (cwes.length === 0) return <>the rule names none</>;
  return (
    <ul className={styles.inline}>
      {cwes.map((cwe) => {
        const number = /^CWE-(\d+)$/i.exec(cwe)?.[1];
        return (
          <li key={cwe}>
            {number === undefined ? (
              cwe
            ) : (
              <WebLink href={`https://cwe.mitre.org/data/definitions/${number}.html`}>{cwe}</WebLink>
            )}
          </li>
        );
      })}
    </ul>
  );
}

type Seen = Pick<Finding, 'first_seen_at' | 'last_seen_at' | 'fixed_at'>;

/** Since when it is known, and until when. */
export function SeenTimes({ first_seen_at, last_seen_at, fixed_at }: Seen) {
  return (
    <>
      first <Time at={first_seen_at} />, last <Time at={last_seen_at} />
      {fixed_at !== null && (
        <>
          , gone since the scan <Time at={fixed_at} />
        </>
      )}
    </>
  );
}

/** Text that a scanner wrote, with its line breaks. */
export function ScannerText({ children }: { readonly children: string }) {
  return <p className={styles.text}>{children}</p>;
}

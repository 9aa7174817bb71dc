import { percent } from '../shared/text/number-text.js';
import type { AttackVector, Exposure } from '../shared/vulnerability-terms.js';
import type { EvidenceSources, ExploitEvidence, StoredEvidence } from './evidence.js';
import type { Priority } from './formula.js';
import { usageSentence } from './usage-sentence.js';

/** The reasons for a verdict in sentences: figures with units, sources and dates. What is unknown is said to be unknown. */
export function reasoning(
  packageName: string,
  evidence: StoredEvidence,
  sources: EvidenceSources,
  priority: Priority,
): string {
  return [
    usageSentence(`\`${packageName}\` ${evidence.versions.join(', ')}`, evidence.usage, sources.analyzer),
    exploitSentence(evidence.exploit, sources.kevCatalogue),
    exposureSentences[evidence.exposure],
    scoreSentence(priority),
  ].join(' ');
}

const attackVectorNames: Readonly<Record<AttackVector, string>> = {
  N: 'network',
  A: 'adjacent network',
  L: 'local',
  P: 'physical',
};

function exploitSentence(
  { epss, kev, attackVector, cvss, severity }: ExploitEvidence,
  kevCatalogue: string | null,
): string {
  const likelihood =
    epss === null
      ? 'EPSS unknown'
      : `EPSS ${percent(epss.probability)} (${ordinal(Math.min(99, Math.round(epss.percentile * 100)))} percentile, ${epss.date})`;
  const observed =
    kev !== null
      ? `in KEV since ${kev.dateAdded}`
      : kevCatalogue === null
        ? 'KEV unknown'
        : `not in KEV (${kevCatalogue})`;
  const vector =
    attackVector === null
      ? 'attack vector unknown, taken as network'
      : `${attackVectorNames[attackVector]} attack vector`;
  const impact =
    cvss !== null
      ? `CVSS ${cvss.score.toFixed(1)}`
      : severity !== null
        ? `no CVSS, labelled ${severity}`
        : 'severity unknown';
  return `${impact}; ${likelihood}; ${observed}; ${vector}.`;
}

const exposureSentences: Readonly<Record<Exposure, string>> = {
  internet: 'The project is declared internet-facing.',
  internal: 'The project is declared internal.',
  isolated: 'The project is declared isolated.',
  unknown: 'The project’s exposure is not declared.',
};

function scoreSentence({ score, risk, usageFactor, exposureFactor, raisedToFloor, formula }: Priority): string {
  const product = `${risk.toFixed(1)} risk x ${usageFactor.toFixed(2)} usage x ${exposureFactor.toFixed(2)} exposure`;
  return raisedToFloor === null
    ? `EffectivePriority ${score.toFixed(1)} = ${product} (${formula}).`
    : `EffectivePriority ${score.toFixed(1)}, the least for a known exploited vulnerability used like this; ${product} would be less (${formula}).`;
}

/** 87 -> `87th`, 91 -> `91st`. */
function ordinal(value: number): string {
  const teen = value % 100 >= 11 && value % 100 <= 13;
  const suffix = teen ? 'th' : (['th', 'st', 'nd', 'rd'][value % 10] ?? 'th');
  return `${value}${suffix}`;
}

import { percent } from '../shared/text/percent.js';
import type { AttackVector, Exposure } from '../shared/vulnerability-terms.js';
import type { EvidenceSources, ExploitEvidence, StoredEvidence, UsageEvidence } from './evidence.js';
import { formula, type Priority } from './formula.js';

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

function usageSentence(subject: string, usage: UsageEvidence, analyzer: string): string {
  const caution = usage.confidence === 'low' ? ' (low confidence)' : '';
  switch (usage.usage) {
    case 'called':
      return usage.vulnerableSymbols.length > 0
        ? `${subject} is called: the vulnerable ${quoteAll(usage.vulnerableSymbols)} is referenced${places(usage)}.`
        : `${subject} is called: code that an entry point reaches imports it${places(usage)}.`;
    case 'imported':
      return `${subject} is imported${places(usage)}.`;
    case 'loaded':
      return `${subject} is loaded when the project runs${broughtInBy(usage)}.`;
    case 'not_loaded':
      return `${subject} is brought in, but no entry point loads it${broughtInBy(usage)}.`;
    case 'not_analyzed':
      return `How ${subject} is used was not analyzed.`;
    case 'transitive_only':
      return `${subject} is not imported directly${broughtInBy(usage)}${caution}.`;
    case 'dev_only':
      return `${subject} is used by development tooling or types alone${places(usage)}.`;
    case 'not_used':
      return `${subject} is not used: ${analyzer} found no import or mention of it, and nothing in use that brings it in.`;
  }
}

function places({ sites, siteCount }: UsageEvidence): string {
  const first = sites[0];
  if (first === undefined) return '';
  const more = siteCount - 1;
  const rest = more === 0 ? '' : ` and ${more} more ${more === 1 ? 'place' : 'places'}`;
  return ` in \`${first.file}:${first.line}\`${rest}`;
}

function broughtInBy({ paths }: UsageEvidence): string {
  const direct = paths[0]?.[0];
  return direct === undefined ? '; how it is brought in is unknown' : `; \`${direct}\` brings it in`;
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

function scoreSentence({ score, risk, usageFactor, exposureFactor, raisedToFloor }: Priority): string {
  const product = `${risk.toFixed(1)} risk x ${usageFactor.toFixed(2)} usage x ${exposureFactor.toFixed(2)} exposure`;
  return raisedToFloor === null
    ? `EffectivePriority ${score.toFixed(1)} = ${product} (${formula.name}).`
    : `EffectivePriority ${score.toFixed(1)}, the least for a known exploited vulnerability used like this; ${product} would be less (${formula.name}).`;
}

/** 87 -> `87th`, 91 -> `91st`. */
function ordinal(value: number): string {
  const teen = value % 100 >= 11 && value % 100 <= 13;
  const suffix = teen ? 'th' : (['th', 'st', 'nd', 'rd'][value % 10] ?? 'th');
  return `${value}${suffix}`;
}

function quoteAll(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}

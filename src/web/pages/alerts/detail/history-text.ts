import type { RouterOutputs } from '../../../../client/index.js';
import { bandWords, overrideWords, resolutionWords, tierWords } from '../../../words.js';

export type HistoryEntry = RouterOutputs['alerts']['listHistory']['items'][number];
type VerdictChange = Extract<HistoryEntry, { kind: 'verdict_changed' }>;

const causes: Readonly<Record<VerdictChange['because'][number], string>> = {
  usage: 'its usage',
  kev: 'the catalogue of known exploited vulnerabilities',
  epss: 'EPSS',
  cvss: 'CVSS',
  exposure: 'the project’s exposure',
  versions: 'the installed versions',
  formula: 'the formula',
};

const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** What happened, and the words of the person who did it. */
export function historyText(entry: HistoryEntry): { readonly what: string; readonly note: string | null } {
  switch (entry.kind) {
    case 'appeared':
      return { what: 'Appeared', note: null };
    case 'reopened':
      return { what: 'Open again', note: null };
    case 'resolved':
      return {
        what: `Resolved${entry.resolution === null ? '' : `: ${resolutionWords[entry.resolution]}`}`,
        note: null,
      };
    case 'acknowledged':
      return { what: `Acknowledged by ${entry.by.name}`, note: entry.note };
    case 'unacknowledged':
      return { what: `Taken back by ${entry.by.name}`, note: null };
    case 'tier_changed':
      return { what: `Tier ${tierWords[entry.before]} became ${tierWords[entry.after]}`, note: null };
    case 'verdict_changed':
      return { what: verdictText(entry), note: null };
    case 'override_set':
      return { what: `Overruled by ${entry.by.name}${ruledText(entry.verdict)}`, note: entry.reason };
    case 'override_cleared':
      return { what: `Override cleared by ${entry.by.name}${ruledText(entry.verdict)}`, note: entry.reason };
    case 'override_expired':
      return { what: `Override ended${ruledText(entry.verdict)}`, note: entry.reason };
  }
}

function ruledText(verdict: keyof typeof overrideWords | null): string {
  return verdict === null ? '' : `: ${overrideWords[verdict].toLowerCase()}`;
}

function verdictText({ before, after, because }: VerdictChange): string {
  const why = because.length === 0 ? '' : `, because of ${list.format(because.map((cause) => causes[cause]))}`;
  return `Machine verdict ${judgedText(before)} became ${judgedText(after)}${why}`;
}

function judgedText({ band, effective_priority }: VerdictChange['before']): string {
  const score = effective_priority === null ? '' : ` (${effective_priority.toFixed(1)})`;
  return `${bandWords[band].toLowerCase()}${score}`;
}

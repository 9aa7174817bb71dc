import type { RouterOutputs } from '../../../client/index.js';
import { domainWords } from '../../words.js';

/** What an answer was made from. Every procedure's has this shape. */
export type CoverageAnswer = RouterOutputs['posture']['getTopRisks']['coverage'];

export const statusWords: Readonly<Record<CoverageAnswer['status'], string>> = {
  affected: 'Affected',
  not_affected: 'Not affected',
  unknown: 'Unknown',
};

const both = new Intl.ListFormat('en', { type: 'conjunction' });

/** Gaps in the sentence; the details have all. */
const maxGaps = 2;

/** One sentence: the status, and what keeps it from being more certain. */
export function coverageSentence({ status, domains, gaps }: CoverageAnswer): string {
  const searched = both.format(domains.map(({ domain }) => domainWords[domain].toLowerCase()));
  const shown = gaps.slice(0, maxGaps).join('; ');
  const left = gaps.length > maxGaps ? `; ${counted(gaps.length - maxGaps)} below` : '';
  const missing = `${shown}${left}.`;
  if (status === 'unknown') {
    return gaps.length === 0
      ? 'Not everything could be searched, so this does not mean safe.'
      : `This does not mean safe: ${missing}`;
  }
  if (gaps.length > 0) return `Not everything was looked at: ${missing}`;
  const where = domains.length === 0 ? 'All' : `All of ${searched}`;
  return `${where} was searched, and nothing is missing.`;
}

function counted(more: number): string {
  return more === 1 ? '1 more' : `${more} more`;
}

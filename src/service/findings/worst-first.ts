import { findingSeverities, tiers } from '../../shared/vulnerability-terms.js';
import type { ReportedFinding } from './scan.js';

/** As `findings.probability` has it where EPSS has none. */
const unknownProbability = 0.01;

/** New findings about as lists order them. No answer depends on it: it saves the indexes of lists a part of their work. */
export function worstFirst<Each extends { readonly finding: ReportedFinding }>(added: readonly Each[]): Each[] {
  const keyed = added.map((each) => ({ each, key: listKey(each.finding) }));
  keyed.sort((a, b) => Number(a.key > b.key) - Number(a.key < b.key));
  return keyed.map(({ each }) => each);
}

/** Its first parts have a fixed width, so that it orders as text. */
function listKey({ kev_added, tier, epss, severity, rule_id, title, details }: ReportedFinding): string {
  const rarity = (1 - (epss ?? unknownProbability)).toFixed(9);
  const rank = `${kev_added === null ? 1 : 0}${tiers.indexOf(tier)}${rarity}${findingSeverities.indexOf(severity)}`;
  const { file } = details;
  return `${rank}${rule_id} ${typeof file === 'string' ? file : title}`;
}

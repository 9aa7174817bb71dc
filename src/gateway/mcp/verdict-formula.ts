import { formula } from '../../verdict/formula.js';

const { usage, kevFloor, reach, severityByLabel } = formula;

function rows(header: readonly string[], lines: readonly (readonly unknown[])[]): string {
  const line = (cells: readonly unknown[]) => `| ${cells.join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...lines.map(line)].join('\n');
}

const exposures = ['internet', 'unknown', 'internal', 'isolated'] as const;
const vectors = { N: 'network', A: 'adjacent', L: 'local', P: 'physical' } as const;

/** The formula of verdicts, in the words and with the constants that they are computed by. */
export const verdictFormula = `# EffectivePriority, formula ${formula.name}

EP = 100 × T^${formula.threatWeight} × S^${formula.severityWeight} × U × X, from 0 to 100, rounded to 0.1. It orders alerts, and never changes their tier.

- **T**, how likely exploitation is: ${formula.threatKev} if it was observed (KEV); else ${formula.threatBase} + ${formula.threatSpan} × L with
  L = (log10(EPSS) + ${formula.epssDecades}) / ${formula.epssDecades}, within 0 and 1; ${formula.likelihoodUnknown.toFixed(2)} where there is no EPSS.
- **S**, how bad it would be: CVSS / 10; by label ${Object.entries(severityByLabel)
  .map(([label, value]) => `${label} ${value}`)
  .join(', ')}; ${formula.severityUnknown} where neither is known.
- **U**, how the project uses the package, with the least score of what is known to be exploited:

${rows(
  ['usage', 'U', 'floor if KEV'],
  Object.entries(usage).map(([name, factor]) => [
    name,
    factor,
    Object.entries(kevFloor).find(([of]) => of === name)?.[1],
  ]),
)}

- **X**, whether an attacker can get there, by attack vector and exposure:

${rows(
  ['vector', ...exposures],
  Object.entries(vectors).map(([vector, name]) => [
    name,
    ...exposures.map((exposure) => Object.entries(reach).find(([of]) => of === vector)?.[1][exposure]),
  ]),
)}

Bands: known_exploited where KEV lists it; likely_exploitable from ${formula.likelyExploitable}, needs_review from ${formula.needsReview}, else likely_not_exploitable.
An override Exploitable leaves what KEV lists in its band; NotExploitable gives 0 and the lowest band, and the field kev still says that it is exploited.
What is not known never counts as zero, and a lower usage takes a search that could have found the use.
`;

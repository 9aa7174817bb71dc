import { formatCount } from '../../shared/text/number-text.js';
import { plainText } from '../../shared/text/plain-text.js';
import type { EvidenceKind, GapKind } from '../../shared/vulnerability-terms.js';
import type { WireReport } from '../analysis/site-evidence.js';
import { groupBy } from '../lockfiles/group-by.js';
import { hasReadNothing, type SearchedEcosystem, searchedEcosystems } from '../report/searched.js';

type Gap = SearchedEcosystem['gaps'][number];

/** What a kind of gap is, of one and of several. */
const gapWords: Readonly<Record<GapKind, readonly [string, string]>> = {
  no_source: ['no source of its languages was read', 'no source of its languages was read'],
  unread_file: ['file was not read', 'files were not read'],
  unresolved_import: ['import of a file that is not there', 'imports of files that are not there'],
  unowned_import: ['import that no package answers to', 'imports that no package answers to'],
  unknown_dynamic: ['import whose target only a run can say', 'imports whose targets only a run can say'],
  unknown_edges: ['lock file does not say what brings packages in', 'lock files do not say what brings packages in'],
};

const evidenceWords: Readonly<Record<EvidenceKind, string>> = {
  source: 'source',
  installed: 'installed packages',
  run: 'a recorded run',
};

/** What could not be judged, and why, for each ecosystem; empty where all packages are. */
export function unjudgedText(report: WireReport): string[] {
  const nothing = hasReadNothing(report)
    ? ['Nothing was read: there are lock files, but no source of their languages. Is it the right folder?']
    : [];
  const lacking = searchedEcosystems(report).filter(({ packages, judged }) => judged < packages);
  const lines = lacking.map(({ ecosystem, packages, judged, gaps, gap_count }) => {
    const amount = `${formatCount(packages - judged)} of ${formatCount(packages)}`;
    return `  ${ecosystem.padEnd(10)} ${amount}: ${reasonsText(gaps, gap_count)}`;
  });
  if (lines.length > 0) lines.unshift('Not judged, so these packages count as maybe used:');
  return [...nothing, ...lines];
}

function reasonsText(gaps: readonly Gap[], total: number): string {
  const reasons = [...groupBy(gaps, ({ kind }) => kind).values()].map(([first, ...others]) => {
    const [one, several] = gapWords[first.kind];
    if (first.kind === 'no_source') return one;
    const example = others.length > 0 ? `, as ${placeText(first)}` : `: ${placeText(first)}`;
    return `${formatCount(others.length + 1)} ${others.length > 0 ? several : one}${example}`;
  });
  const more = total > gaps.length ? [`${formatCount(total - gaps.length)} more`] : [];
  return reasons.length === 0 ? 'only their names are found' : [...reasons, ...more].join('; ');
}

/** For each ecosystem: its packages, what was read, on which evidence, and how many packages that judges. */
export function ecosystemsText(report: WireReport): string[] {
  return searchedEcosystems(report).map(({ ecosystem, packages, files, evidence, judged }) => {
    const by = evidence.map((each) => evidenceWords[each]).join(' and ');
    return [
      `  ${ecosystem.padEnd(10)} ${counted(packages, 'package')}, ${counted(files, 'file')}${by === '' ? '' : `, by ${by}`}`,
      `${formatCount(judged)} judged, ${formatCount(packages - judged)} unknown`,
    ].join(': ');
  });
}

/** Every place of the report where a use may be hidden. */
export function gapsText(report: WireReport): string[] {
  return searchedEcosystems(report).flatMap(({ ecosystem, gaps, gap_count }) => {
    if (gap_count === 0) return [];
    const more = gap_count - gaps.length;
    return [
      `Where a use of ${ecosystem} packages may be hidden:`,
      ...gaps.map((gap) => `  ${placeText(gap)} (${gap.kind}), may hide ${counted(gap.hides, 'package')}`),
      ...(more > 0 ? [`  and ${formatCount(more)} more`] : []),
    ];
  });
}

function placeText({ file, line, detail }: Gap): string {
  return `${plainText(line === null ? file : `${file}:${line}`, 1000)} ${plainText(detail, 300)}`;
}

function counted(amount: number, noun: string): string {
  return `${formatCount(amount)} ${noun}${amount === 1 ? '' : 's'}`;
}

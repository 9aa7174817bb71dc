import { number } from '../../shared/text/number-text.js';
import { plainText } from '../../shared/text/plain-text.js';
import { type ReportedUsage, reportedUsages } from '../../shared/vulnerability-terms.js';
import type { WireReport } from '../analysis/site-evidence.js';
import type { Analyzed } from '../report/analyze.js';
import { bands } from '../report/bands.js';
import { ruleId } from '../report/sarif.js';
import type { Band, Verdict, VerdictList } from '../report/verdicts.js';

/** Verdicts told of at once, and places of one. */
const shownVerdicts = 10;
const shownSites = 3;
const shownLockfiles = 5;

const meanings: Readonly<Record<ReportedUsage, string>> = {
  reached: 'imported by code that an entry point reaches',
  imported: 'imported by production code',
  mentioned: 'named in a string or configuration, or a peer of a used package',
  type_only: 'only types are imported',
  tooling: 'only tests, configuration or scripts name it',
  transitive: 'a used dependency brings it in',
  unused: 'nothing uses it',
};

/** How many dependencies are used in which way. */
export function countUsages({ dependencies }: Pick<WireReport, 'dependencies'>): Record<ReportedUsage, number> {
  const counts = { reached: 0, imported: 0, mentioned: 0, type_only: 0, tooling: 0, transitive: 0, unused: 0 };
  for (const { usage } of dependencies) counts[usage]++;
  return counts;
}

export function countBands(verdicts: readonly Verdict[]): Record<Band, number> {
  const counts = {
    known_exploited: 0,
    likely_exploitable: 0,
    needs_review: 0,
    likely_not_exploitable: 0,
    unanalyzed: 0,
  };
  for (const { band } of verdicts) counts[band]++;
  return counts;
}

/** What was done, as people read it. The error, if any, is not in it: it goes to standard error. */
export function analyzedText({ projectId, report, upload, verdicts }: Analyzed, output: string | null): string {
  if (report === null) return '';
  const parts = [reportText(report)];
  if (output !== null) parts.push(`The report is in ${plainText(output)}.`);
  if (upload !== null && projectId !== null) {
    const { created, updated, unchanged, pending } = upload.verdicts;
    parts.push(
      `Uploaded to project ${plainText(projectId)}; verdicts: ${number(created)} created, ${number(updated)} updated, ${number(unchanged)} unchanged${pending ? '; the others follow within a minute' : ''}`,
    );
  }
  if (verdicts !== null) parts.push(verdictsText(verdicts, projectId ?? ''));
  if (projectId === null) parts.push('Nothing was sent. With --project ID the report is uploaded and judged.');
  return parts.map((part) => `${part}\n`).join('');
}

function reportText(report: WireReport): string {
  const { stats, lockfiles, dependencies } = report;
  const counts = countUsages(report);
  const named = lockfiles.slice(0, shownLockfiles).map(({ path }) => plainText(path));
  const more = lockfiles.length - named.length;
  const size = `${number(stats.files)} files (${(stats.bytes / 1e6).toFixed(1)} MB)`;
  return [
    `Read ${size} and ${named.join(', ')}${more > 0 ? ` and ${number(more)} more` : ''} in ${(stats.duration_ms / 1000).toFixed(1)} s`,
    ...searchedText(stats.searched ?? 0),
    entriesText(report),
    `${number(dependencies.length)} packages:`,
    ...reportedUsages.map((usage) => `  ${usage.padEnd(11)}${number(counts[usage]).padStart(7)}  ${meanings[usage]}`),
  ].join('\n');
}

function searchedText(searched: number): string[] {
  if (searched === 0) return [];
  return [
    `${number(searched)} ${searched === 1 ? 'file that is not parsed was' : 'files that are not parsed were'} searched for the names of packages`,
  ];
}

function entriesText({ entries }: WireReport): string {
  const [first] = entries;
  if (first === undefined) {
    return 'No entry point was found, so what production reaches is not known: name it with --entry FILE';
  }
  const more = entries.length > 1 ? ` and ${number(entries.length - 1)} more` : '';
  return `Production starts at ${plainText(first.file)} (${plainText(first.why)})${more}`;
}

function verdictsText({ verdicts, total }: VerdictList, projectId: string): string {
  if (total === 0) {
    return `The project has no verdicts: no known vulnerability is in its tech stack. If it was never synced: reach sync --project ${plainText(projectId)}`;
  }
  const counts = countBands(verdicts);
  const found = bands.filter((band) => counts[band] > 0).map((band) => `${number(counts[band])} ${band}`);
  const worst = verdicts.slice(0, shownVerdicts).map(verdictText);
  const listed = total > verdicts.length ? ` (of the first ${number(verdicts.length)})` : '';
  const more = total > worst.length ? [`  and ${number(total - worst.length)} more`] : [];
  return [`${number(total)} verdicts${listed}: ${found.join(', ')}`, ...worst, ...more].join('\n');
}

function verdictText({ effective_priority, band, evidence, override, versions, ...verdict }: Verdict): string {
  const { usage } = evidence;
  const ruled = override === null ? '' : `, overridden: ${override.verdict}`;
  const what = `${ruleId(verdict)} in ${verdict.package.name} ${versions.join(', ')}`;
  const sites = usage.sites.slice(0, shownSites).map(({ file, line, column }) => `${file}:${line}:${column}`);
  const more = usage.site_count - sites.length;
  const where =
    sites.length > 0
      ? `${sites.join(', ')}${more > 0 ? ` and ${number(more)} more` : ''}`
      : (usage.paths[0]?.join(' > ') ?? '');
  return [
    `  ${effective_priority.toFixed(1).padStart(5)}  ${band}: ${plainText(what)} (${usage.class}${ruled})`,
    ...(where === '' ? [] : [`         ${plainText(where)}`]),
  ].join('\n');
}

import { formatCount } from '../../shared/text/number-text.js';
import { plainText } from '../../shared/text/plain-text.js';
import { type ReportedUsage, reportedUsages } from '../../shared/vulnerability-terms.js';
import type { WireReport } from '../analysis/site-evidence.js';
import { bands } from '../report/bands.js';
import type { AnalysisResult } from '../report/run-analysis.js';
import { ruleId } from '../report/sarif.js';
import type { Band, Verdict, VerdictList } from '../report/verdicts.js';
import { ecosystemsText, gapsText, unjudgedText } from './search-text.js';

/** How many verdicts are shown, how many places of each, and how many lock files. */
const maxVerdicts = 10;
const maxSites = 3;
const maxLockfiles = 5;

const usageMeanings: Readonly<Record<ReportedUsage, string>> = {
  reached: 'imported by code that an entry point reaches',
  imported: 'imported by production code',
  loaded: 'loaded through installed packages, or in a recorded run',
  mentioned: 'named in a string or configuration, or a peer of a used package',
  type_only: 'only types are imported',
  tooling: 'only tests, configuration or scripts name it',
  transitive: 'a used dependency brings it in',
  not_loaded: 'brought in, but no entry point loads it',
  unused: 'nothing uses it',
  not_analyzed: 'no source of its ecosystem was read',
};

export function countUsages({ dependencies }: Pick<WireReport, 'dependencies'>): ReadonlyMap<ReportedUsage, number> {
  return countEach(
    reportedUsages,
    dependencies.map(({ usage }) => usage),
  );
}

export function countBands(verdicts: readonly Verdict[]): ReadonlyMap<Band, number> {
  return countEach(
    bands,
    verdicts.map(({ band }) => band),
  );
}

function countEach<Kind>(kinds: readonly Kind[], values: readonly Kind[]): ReadonlyMap<Kind, number> {
  return new Map(kinds.map((kind) => [kind, values.filter((value) => value === kind).length]));
}

/** The result as people read it, what is not known first. An error is not part of it: that goes to standard error. */
export function analysisText(
  { projectId, report, output, upload, verdicts }: AnalysisResult,
  verbose: boolean,
): string {
  if (report === null) return '';
  const parts = [...unjudgedText(report), reportText(report), ...(verbose ? gapsText(report) : [])];
  if (output !== null) parts.push(`The report is in ${plainText(output)}.`);
  if (upload !== null && projectId !== null) {
    const { created, updated, unchanged, pending } = upload.verdicts;
    parts.push(
      `Uploaded to project ${plainText(projectId)}; verdicts: ${formatCount(created)} created, ` +
        `${formatCount(updated)} updated, ${formatCount(unchanged)} unchanged` +
        (pending ? '; the others follow within a minute' : ''),
    );
  }
  if (verdicts !== null) parts.push(verdictsText(verdicts, projectId ?? ''));
  if (projectId === null) parts.push('Nothing was sent. With --project ID the report is uploaded and judged.');
  return parts.map((part) => `${part}\n`).join('');
}

function reportText(report: WireReport): string {
  const { stats, lockfiles, dependencies } = report;
  const counts = countUsages(report);
  const named = lockfiles.slice(0, maxLockfiles).map(({ path }) => plainText(path));
  const more = lockfiles.length - named.length;
  const size = `${formatCount(stats.files)} files (${(stats.bytes / 1e6).toFixed(1)} MB)`;
  return [
    `Read ${size} and ${named.join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''} in ${(stats.duration_ms / 1000).toFixed(1)} s`,
    ...ecosystemsText(report),
    ...searchedText(stats.searched ?? 0),
    entriesText(report),
    `${formatCount(dependencies.length)} packages:`,
    ...[...counts].map(
      ([usage, count]) => `  ${usage.padEnd(11)}${formatCount(count).padStart(7)}  ${usageMeanings[usage]}`,
    ),
  ].join('\n');
}

function searchedText(searched: number): string[] {
  if (searched === 0) return [];
  const files = searched === 1 ? 'file that is not parsed was' : 'files that are not parsed were';
  return [`${formatCount(searched)} ${files} searched for the names of packages`];
}

function entriesText({ entries }: WireReport): string {
  const [first] = entries;
  if (first === undefined) {
    return 'No entry point was found, so what production reaches is not known: name it with --entry FILE';
  }
  const more = entries.length > 1 ? ` and ${formatCount(entries.length - 1)} more` : '';
  return `Production starts at ${plainText(first.file)} (${plainText(first.why)})${more}`;
}

function verdictsText({ verdicts, total }: VerdictList, projectId: string): string {
  if (total === 0) {
    const advice = `If it was never synced: reach sync --project ${plainText(projectId)}`;
    return `The project has no verdicts: no known vulnerability is in its tech stack. ${advice}`;
  }
  const counts = countBands(verdicts);
  const found = [...counts].filter(([, count]) => count > 0).map(([band, count]) => `${formatCount(count)} ${band}`);
  const worst = verdicts.slice(0, maxVerdicts).map(verdictText);
  const listed = total > verdicts.length ? ` (of the first ${formatCount(verdicts.length)})` : '';
  const more = total > worst.length ? [`  and ${formatCount(total - worst.length)} more`] : [];
  return [`${formatCount(total)} verdicts${listed}: ${found.join(', ')}`, ...worst, ...more].join('\n');
}

function verdictText({ effective_priority, band, evidence, override, versions, ...verdict }: Verdict): string {
  const { usage } = evidence;
  const overridden = override === null ? '' : `, overridden: ${override.verdict}`;
  const exploited = evidence.exploit.kev !== null && band !== 'known_exploited' ? ', known exploited' : '';
  const what = `${ruleId(verdict)} in ${verdict.package.name} ${versions.join(', ')}`;
  const sites = usage.sites.slice(0, maxSites).map(({ file, line, column }) => `${file}:${line}:${column}`);
  const more = usage.site_count - sites.length;
  const where =
    sites.length > 0
      ? `${sites.join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}`
      : (usage.paths[0]?.join(' > ') ?? '');
  return [
    `  ${effective_priority.toFixed(1).padStart(5)}  ${band}: ${plainText(what)} (${usage.class}${overridden}${exploited})`,
    ...(where === '' ? [] : [`         ${plainText(where)}`]),
  ].join('\n');
}

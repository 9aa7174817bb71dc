import type { Selectable } from 'kysely';
import type { Schema } from '../db/schema.js';
import { tierOf } from '../matching/tier.js';
import type { Match, PackageAdvisory } from './find-matches.js';

export type AlertRow = Selectable<Schema['alerts']>;

/** The columns that identify an alert within its project: which vulnerability of which package it is about. */
export const identityColumns = ['ecosystem', 'package_name', 'vulnerability_id'] as const;

/** The columns computed from tech stack and intelligence. The other columns are the alert's history. */
export const factColumns = [
  'name',
  'advisory_ids',
  'cves',
  'title',
  'versions',
  'safe_version',
  'severity',
  'cvss_version',
  'cvss_score',
  'cvss_vector',
  'epss',
  'epss_percentile',
  'epss_date',
  'kev_added',
  'kev_due',
  'kev_ransomware',
  'malicious',
  'tier',
] as const;

export type AlertIdentity = Pick<AlertRow, (typeof identityColumns)[number]>;
export type AlertFacts = AlertIdentity & Pick<AlertRow, (typeof factColumns)[number]>;

/** EPSS scores and KEV entries, by CVE. */
export interface Exploitation {
  readonly epss: ReadonlyMap<string, Selectable<Schema['epss']>>;
  readonly kev: ReadonlyMap<string, Selectable<Schema['kev']>>;
}

/** The CVEs that a match is about. */
export function cvesOf({ advisories }: Pick<Match, 'advisories'>): string[] {
  return [...new Set(advisories.flatMap(({ cves }) => cves))].sort();
}

/** The facts of the match's alert. They do not depend on the order of advisories, scores and entries. */
export function alertFacts(match: Match, exploitation: Exploitation): AlertFacts {
  const { advisories, vulnerability_id, ecosystem, package_name, name, versions, safe_version } = match;
  const cves = cvesOf(match);
  const { severity, ...cvss } = severityOf(advisories);
  const malicious = advisories.some((advisory) => advisory.malicious);
  const facts = {
    ecosystem,
    package_name,
    vulnerability_id,
    name,
    advisory_ids: advisories.map(({ id }) => id).sort(),
    cves,
    title: advisories.find(({ summary }) => summary !== '')?.summary ?? vulnerability_id,
    versions: [...versions],
    safe_version,
    severity,
    ...cvss,
    malicious,
  };
  return { ...facts, ...exploited(facts, exploitation) };
}

type ExploitationColumn = 'tier' | Extract<keyof AlertFacts, `${'epss' | 'kev'}${string}`>;

/** What EPSS and KEV say of an alert, and the tier that follows. */
export function exploited(
  { cves, malicious, cvss_score, severity }: Omit<AlertFacts, ExploitationColumn>,
  { epss, kev }: Exploitation,
): Pick<AlertFacts, ExploitationColumn> {
  const score = highest(cves.flatMap((cve) => epss.get(cve) ?? []));
  const listed = earliest(cves.flatMap((cve) => kev.get(cve) ?? []));
  return {
    epss: score?.probability ?? null,
    epss_percentile: score?.percentile ?? null,
    epss_date: score?.scored_on ?? null,
    kev_added: listed?.date_added ?? null,
    kev_due: listed?.due_date ?? null,
    kev_ransomware: listed?.ransomware ?? null,
    tier: tierOf({
      kev: listed !== undefined,
      malicious,
      cvss: cvss_score,
      severity,
      epss: score?.probability ?? null,
    }),
  };
}

/** The label and the score, each from the first advisory that has one: many have a label but no vector. */
function severityOf(advisories: readonly PackageAdvisory[]) {
  const scored = advisories.find(({ cvss_score }) => cvss_score !== null);
  return {
    severity: advisories.find(({ severity }) => severity !== null)?.severity ?? null,
    cvss_version: scored?.cvss_version ?? null,
    cvss_score: scored?.cvss_score ?? null,
    cvss_vector: scored?.cvss_vector ?? null,
  };
}

/** The score with the highest probability, with its percentile and date; of equal ones the first CVE's. */
function highest<Score extends { readonly probability: number }>(scores: readonly Score[]): Score | undefined {
  return scores.reduce<Score | undefined>(
    (best, score) => (best === undefined || score.probability > best.probability ? score : best),
    undefined,
  );
}

/** The entry that was listed first. It counts as used by ransomware if any of the entries is. */
function earliest(entries: readonly Selectable<Schema['kev']>[]): Selectable<Schema['kev']> | undefined {
  const [first] = [...entries].sort((a, b) => (a.date_added < b.date_added ? -1 : Number(a.date_added > b.date_added)));
  return first && { ...first, ransomware: entries.some(({ ransomware }) => ransomware) };
}

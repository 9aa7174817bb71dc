import { detailLimits, type ReferenceKind, referenceKind } from '../../procedures/alert-details.js';
import { cwe } from '../../procedures/vulnerability.js';
import { type Ecosystem, isEcosystem } from '../../shared/packages/ecosystem.js';
import { normaliseName } from '../../shared/packages/purl.js';
import { clip } from '../../shared/text/cut.js';
import { type Severity, severities } from '../../shared/vulnerability-terms.js';
import { type Affected, type Range, type RangeEvent, withLastKnown } from './affected.js';
import { type Cvss, chooseCvss, severityOf } from './cvss.js';
import type { OsvAffected, OsvRecord } from './osv-record.js';
import { withdrawalOf } from './withdrawal.js';

/** The facts of an advisory that are stored. */
export interface Advisory {
  id: string;
  modified: Date;
  published: Date | null;
  /** Also where only the text says so: see withdrawal.ts. */
  withdrawn: Date | null;
  summary: string;
  /** CVE ids among the record's id, aliases and upstream, sorted. */
  cves: string[];
  aliases: string[];
  /** The database's label, or else the band of the CVSS score. */
  severity: Severity | null;
  cvss: Cvss | null;
  malicious: boolean;
  /** RustSec's kinds of advisories that are not vulnerabilities. */
  informational: 'unmaintained' | 'unsound' | 'notice' | null;
  /** Kinds of weakness, as `CWE-79`, at most 20. */
  cwes: string[];
  /** What it says beyond the summary: Markdown, cut. Null where it says no more. */
  details: string | null;
  /** At most 20 http or https addresses. */
  references: string[];
  /** Of each reference. */
  referenceKinds: ReferenceKind[];
  /** One entry for each package. Ecosystems that we do not know are left out. */
  packages: AdvisoryPackage[];
}

interface AdvisoryPackage {
  ecosystem: Ecosystem;
  /** As the registry compares it. */
  name: string;
  affected: Affected;
  /** Vulnerable symbols as `path.Symbol` (Go), `package.symbol` (GHSA) or `path::symbol` (RustSec), at most 500. */
  symbols: string[];
}

const maxReferences = 20;
const maxCwes = 20;
const maxSymbols = 500;
/** Characters. */
const maxSymbolLength = 500;
/** Characters. */
const maxSummaryLength = 200;

const cveShape = /^CVE-\d{4}-\d{4,}$/;

export function toAdvisory(record: OsvRecord): Advisory {
  const cvss = cvssOf(record);
  const references = referencesOf(record);
  return {
    id: record.id,
    modified: record.modified,
    published: record.published ?? null,
    withdrawn: withdrawalOf(record),
    summary: record.summary ?? firstLine(record.details ?? ''),
    cves: unique([record.id, ...record.aliases, ...record.upstream].filter((id) => cveShape.test(id))).sort(),
    aliases: record.aliases,
    severity: labelOf(record.database_specific?.severity) ?? (cvss && severityOf(cvss.score)),
    cvss,
    malicious: isMalicious(record),
    informational: informationalOf(record),
    cwes: unique(record.database_specific?.cwe_ids ?? [])
      .filter((id) => cwe.safeParse(id).success)
      .slice(0, maxCwes),
    details: clip(record.details?.trim() ?? '', detailLimits.description) || null,
    references: references.map(({ url }) => url),
    referenceKinds: references.map(({ kind }) => kind),
    packages: packagesOf(record.affected),
  };
}

function unique(items: readonly string[]): string[] {
  return [...new Set(items)];
}

/** The summary of a record that has none: the first line of its details. */
function firstLine(details: string): string {
  const line = details.split('\n', 20).find((each) => /\w/.test(each)) ?? '';
  return line.replace(/^[#\s]+/, '').slice(0, maxSummaryLength);
}

/** Each address once, as what it is named first. */
function referencesOf({ references }: OsvRecord): { url: string; kind: ReferenceKind }[] {
  const kinds = new Map<string, ReferenceKind>();
  for (const { url, type } of references) {
    if (!isWebAddress(url) || kinds.has(url)) continue;
    kinds.set(url, referenceKind.safeParse(type?.toLowerCase()).data ?? 'web');
    if (kinds.size === maxReferences) break;
  }
  return [...kinds].map(([url, kind]) => ({ url, kind }));
}

function isWebAddress(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url);
}

/** The severity of the record, or else of its packages: the schema allows either place, not both. */
function cvssOf(record: OsvRecord): Cvss | null {
  const vectorsOf = (severities: OsvRecord['severity']) =>
    severities.filter(({ type }) => type.startsWith('CVSS_')).map(({ score }) => score);
  return (
    chooseCvss(vectorsOf(record.severity)) ?? chooseCvss(record.affected.flatMap((each) => vectorsOf(each.severity)))
  );
}

function labelOf(label: string | null | undefined): Severity | null {
  const lower = label?.toLowerCase();
  return lower === 'medium' ? 'moderate' : (severities.find((each) => each === lower) ?? null);
}

/**
 * OpenSSF's malicious-packages are known by an id or alias `MAL-…` or by their origins, GHSA's by CWE-506 (embedded
 * malicious code), RustSec's by the category `malicious`.
 */
function isMalicious({ id, aliases, affected, database_specific: specific }: OsvRecord): boolean {
  return (
    [id, ...aliases].some((each) => each.startsWith('MAL-')) ||
    specific?.['malicious-packages-origins'] !== undefined ||
    specific?.cwe_ids.includes('CWE-506') === true ||
    affected.some((each) => each.database_specific?.categories.includes('malicious'))
  );
}

function informationalOf({ affected }: OsvRecord): Advisory['informational'] {
  for (const { database_specific: specific } of affected) {
    const kind = specific?.informational;
    if (kind === 'unmaintained' || kind === 'unsound' || kind === 'notice') return kind;
  }
  return null;
}

/** Merges entries of the same package: they are alternatives, like the ranges of one entry, so no answer changes. */
function packagesOf(entries: readonly OsvAffected[]): AdvisoryPackage[] {
  const packages = new Map<string, AdvisoryPackage>();
  for (const entry of entries) {
    const ecosystem = entry.package ? matchedEcosystem(entry.package.ecosystem) : null;
    if (!entry.package || ecosystem === null) continue;
    const name = normaliseName(ecosystem, entry.package.name);
    const key = `${ecosystem} ${name}`;
    const known = packages.get(key);
    const affected = affectedOf(entry);
    packages.set(key, {
      ecosystem,
      name,
      affected: {
        ranges: [...(known?.affected.ranges ?? []), ...affected.ranges],
        versions: unique([...(known?.affected.versions ?? []), ...affected.versions]),
      },
      symbols: unique([...(known?.symbols ?? []), ...symbolsOf(entry, entry.package.name)]).slice(0, maxSymbols),
    });
  }
  return [...packages.values()];
}

/**
 * Our ecosystem of that name; null where its packages are not matched.
 * `PyPI:…` is a part of PyPI. `Packagist:https://…` is another registry, which may use the same names for other packages.
 */
export function matchedEcosystem(name: string): Ecosystem | null {
  const [base = '', ...suffix] = name.split(':');
  return isEcosystem(base) && !/^https?$/.test(suffix[0] ?? '') ? base : null;
}

function affectedOf(entry: OsvAffected): Affected {
  const affected = { ranges: entry.ranges.flatMap(rangeOf), versions: entry.versions };
  const lastKnown = entry.database_specific?.last_known_affected_version_range;
  return lastKnown ? withLastKnown(affected, lastKnown) : affected;
}

function rangeOf({ type, events }: OsvAffected['ranges'][number]): Range[] {
  return type === 'SEMVER' || type === 'ECOSYSTEM' ? [{ type, events: events.flatMap(eventsOf) }] : [];
}

/** The schema allows one key in an event. Old records put `introduced` and `fixed` into the same event. */
function eventsOf(event: OsvAffected['ranges'][number]['events'][number]): RangeEvent[] {
  const { introduced, fixed, last_affected, limit } = event;
  const events: RangeEvent[] = [];
  if (introduced) events.push({ introduced });
  if (fixed) events.push({ fixed });
  if (last_affected) events.push({ last_affected });
  if (limit) events.push({ limit });
  return events;
}

/**
 * Vulnerable functions, where the databases put them: Go `imports`, RustSec `affects`, GHSA `affected_functions`. GHSA writes
 * `(lodash).merge` for npm, with the module in parentheses. That is the affected package, whatever name stands there: the
 * records on `lodash-es` have `(lodash)`. An address is no symbol.
 */
function symbolsOf(entry: OsvAffected, packageName: string): string[] {
  const { ecosystem_specific: ecosystem, database_specific: database } = entry;
  const functions = [...(ecosystem?.affected_functions ?? []), ...(database?.affected_functions ?? [])];
  return [
    ...(ecosystem?.imports ?? []).flatMap(({ path, symbols }) => symbols.map((symbol) => `${path}.${symbol}`)),
    ...(ecosystem?.affects?.functions ?? []),
    ...functions.map((each) => each.replace(/^\([^()]*\)/, () => packageName)),
  ].filter((symbol) => symbol.length <= maxSymbolLength && !symbol.includes('://'));
}

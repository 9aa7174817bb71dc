import * as z from 'zod';
import { isRecord } from '../../../shared/json/is-record.js';
import {
  type ImagePart,
  imagePartOf,
  isSystemPackage,
  packageTypeOf,
  type ReportedVulnerability,
} from '../image-scan.js';
import type { Intake, LeftOutKind, RowPath } from '../intake.js';
import { orNull, requiredText, text, textOrEmpty } from '../lenient.js';
import { rating, severityOf, vectorsOf } from './severity.js';

const vulnerability = z.object({
  VulnerabilityID: requiredText,
  PkgName: requiredText,
  InstalledVersion: textOrEmpty,
  FixedVersion: textOrEmpty,
  PkgPath: textOrEmpty,
  PkgIdentifier: orNull(z.object({ PURL: text })),
  Layer: orNull(z.object({ DiffID: text })),
  Title: textOrEmpty,
  Description: textOrEmpty,
  ...rating.shape,
});

type Vulnerability = z.output<typeof vulnerability>;

/** One of Trivy's results (`pkg/types/report.go`): what it found in one place of what it scanned. Its rows are read one by one. */
const result = z.object({
  Target: textOrEmpty,
  Class: textOrEmpty,
  Type: textOrEmpty,
  Packages: z.unknown().optional(),
  Vulnerabilities: z.unknown().optional(),
  Misconfigurations: z.unknown().optional(),
  Secrets: z.unknown().optional(),
  Licenses: z.unknown().optional(),
  CustomResources: z.unknown().optional(),
  /** What an ignore file, a policy or a VEX statement has removed; misconfigurations are among it. */
  ExperimentalModifiedFindings: z.unknown().optional(),
});

export type Result = z.output<typeof result> & { readonly place: RowPath };

/** The results of a list; an odd one is skipped. */
export function resultsIn(given: unknown, place: RowPath, intake: Intake): Result[] {
  return listAt(given, place, intake).flatMap((each, at) => {
    const read = intake.part(result, each, [...place, at]);
    return read === null ? [] : [{ ...read, place: [...place, at] }];
  });
}

/** A list that may be absent; anything else in its place is skipped. */
function listAt(given: unknown, place: RowPath, intake: Intake): readonly unknown[] {
  if (Array.isArray(given)) return given;
  if (given !== null && given !== undefined) intake.skip(place, 'must be a list');
  return [];
}

/** Whether packages were searched: a scan for secrets alone says nothing of vulnerabilities. Older reports have no classes. */
export function isOfPackages({ Class, Vulnerabilities }: Result): boolean {
  return Class === '' || Class.endsWith('-pkgs') || Array.isArray(Vulnerabilities);
}

/**
 * What results show that was searched for vulnerabilities. A search of one kind of packages (`--pkg-types`) lists only
 * results of that kind. A search for licences lists packages too, though it may have looked for no vulnerability.
 */
export function partsOf(results: readonly Result[]): ImagePart[] {
  const ofPackages = results.filter(
    ({ Class, Type }) => Class === 'os-pkgs' || Class === 'lang-pkgs' || (Class === '' && Type !== ''),
  );
  const hasFound = results.some(
    ({ Vulnerabilities, ExperimentalModifiedFindings }) =>
      lengthOf(Vulnerabilities) + lengthOf(ExperimentalModifiedFindings) > 0,
  );
  if (!hasFound && results.some(({ Class }) => Class.startsWith('license'))) return [];
  return [...new Set(ofPackages.map(partOf))];
}

/** The part of an image that a result is of. */
export function partOf({ Class, Type }: Result): ImagePart {
  if (Class === '') return imagePartOf(packageTypeOf(null, Type));
  return Class === 'os-pkgs' ? 'os' : 'library';
}

function lengthOf(rows: unknown): number {
  return Array.isArray(rows) ? rows.length : 0;
}

/** Rows of a result with vulnerabilities. */
export function vulnerabilityCount({ Vulnerabilities }: Result): number {
  return lengthOf(Vulnerabilities);
}

/** Counts the rows of other kinds. */
export function leaveOutOthers(
  { Misconfigurations, Secrets, Licenses, CustomResources, place }: Result,
  intake: Intake,
) {
  for (const each of listAt(Misconfigurations, [...place, 'Misconfigurations'], intake)) {
    intake.leaveOut(isRecord(each) && each['Status'] === 'PASS' ? 'passed' : 'misconfigurations');
  }
  intake.leaveOut('secrets', listAt(Secrets, [...place, 'Secrets'], intake).length);
  intake.leaveOut('licences', listAt(Licenses, [...place, 'Licenses'], intake).length);
  intake.leaveOut('other', listAt(CustomResources, [...place, 'CustomResources'], intake).length);
}

const modified = z.object({ Finding: vulnerability });

const kindOfModified: Readonly<Record<string, LeftOutKind>> = {
  misconfiguration: 'misconfigurations',
  secret: 'secrets',
  license: 'licences',
};

function leftOutKindOfModified(row: unknown): LeftOutKind | null {
  const type = isRecord(row) ? row['Type'] : undefined;
  if (typeof type !== 'string' || type === 'vulnerability') return null;
  return Object.hasOwn(kindOfModified, type) ? (kindOfModified[type] ?? null) : 'other';
}

/** Adds the vulnerabilities of a result, then those that were removed from it. */
export async function readVulnerabilities(
  given: Result,
  layers: ReadonlyMap<string, number>,
  vulnerabilities: ReportedVulnerability[],
  intake: Intake,
): Promise<void> {
  const rowsOf = (list: 'Vulnerabilities' | 'ExperimentalModifiedFindings') => {
    const place = [...given.place, list];
    return { place, rows: listAt(given[list], place, intake) };
  };
  const found = rowsOf('Vulnerabilities');
  for await (const each of intake.rows(vulnerability, found.rows, found.place))
    vulnerabilities.push(toVulnerability(each, given, layers, false));
  const removed = rowsOf('ExperimentalModifiedFindings');
  for await (const { Finding } of intake.rows(modified, removed.rows, removed.place, leftOutKindOfModified))
    vulnerabilities.push(toVulnerability(Finding, given, layers, true));
}

function toVulnerability(
  given: Vulnerability,
  { Target, Class, Type }: Result,
  places: ReadonlyMap<string, number>,
  suppressed: boolean,
): ReportedVulnerability {
  const packageType = packageTypeOf(given.PkgIdentifier?.PURL ?? null, Type);
  const isSystem = Class === 'os-pkgs' || isSystemPackage(packageType);
  const place = places.get(given.Layer?.DiffID ?? '');
  return {
    id: given.VulnerabilityID,
    title: given.Title || given.Description,
    packageName: given.PkgName,
    packageVersion: given.InstalledVersion,
    packageType,
    purl: given.PkgIdentifier?.PURL ?? null,
    // Packages of a lock file have no path; the file is the result's target.
    path: isSystem ? null : given.PkgPath || Target,
    fixedVersion: given.FixedVersion || null,
    ...severityOf(given),
    vectors: vectorsOf(given),
    relatedCves: [],
    // Trivy names the layer in which a system package got its version, not the last one that changed the database.
    layers: place === undefined ? null : [place, place],
    suppressed,
  };
}

import * as z from 'zod';
import { yieldToEventLoop } from '../../../shared/async/yield-to-event-loop.js';
import { isRecord } from '../../../shared/json/is-record.js';
import type { Scope } from '../stack-package.js';
import { distinctHashes, distinctLicences, toLicence, toSupplier } from './component-facts.js';
import { describeRow } from './row-fault.js';
import { maxComponents, type Sbom, type SbomComponent, type SkippedRow } from './sbom.js';
import { readSpdx2Relationships } from './spdx2-relationships.js';
import { tooManyComponents, unreadableSbom } from './unreadable-sbom.js';

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? undefined);

/** The part of an SPDX 2.3 package that a tech stack needs (https://spdx.github.io/spdx-spec/v2.3/package-information/). */
const packageSchema = z.object({
  SPDXID: z.string(),
  name: text,
  versionInfo: text,
  supplier: text.catch(undefined),
  licenseConcluded: text.catch(undefined),
  licenseDeclared: text.catch(undefined),
  primaryPackagePurpose: text.catch(undefined),
  externalRefs: z
    .array(z.object({ referenceType: text, referenceLocator: text }))
    .nullish()
    .catch(null),
  checksums: z
    .array(z.object({ algorithm: text, checksumValue: text }))
    .nullish()
    .catch(null),
});
type Package = z.output<typeof packageSchema>;

const documentSchema = z.object({
  spdxVersion: z.enum(['SPDX-2.2', 'SPDX-2.3']),
  SPDXID: z.string().default('SPDXRef-DOCUMENT').catch('SPDXRef-DOCUMENT'),
  name: text.catch(undefined),
  packages: z.array(z.unknown()),
  relationships: z.array(z.unknown()).nullish().catch(null),
  documentDescribes: z.array(z.string()).nullish().catch(null),
  hasExtractedLicensingInfos: z.array(z.unknown()).nullish().catch(null),
});

/** GitHub's export has the document in the field `sbom`. */
export function unwrapSpdx2(document: object): object | null {
  if ('spdxVersion' in document) return document;
  return 'sbom' in document && isRecord(document.sbom) && 'spdxVersion' in document.sbom ? document.sbom : null;
}

/** Reads an SPDX 2.2 or 2.3 document in JSON. */
export async function readSpdx2(document: object): Promise<Sbom> {
  const parsed = documentSchema.safeParse(document);
  if (!parsed.success) throw unreadableSbom(documentSchema, parsed.error);
  const { spdxVersion, SPDXID, name, packages, relationships, documentDescribes, hasExtractedLicensingInfos } =
    parsed.data;
  if (packages.length > maxComponents) throw tooManyComponents();
  const found = await readSpdx2Relationships(relationships ?? [], SPDXID, documentDescribes ?? []);
  const { dependsOn, contains, known, described, scopes } = found;
  const licenceNames = extractedLicences(hasExtractedLicensingInfos ?? []);
  const components: SbomComponent[] = [];
  const skipped: SkippedRow[] = [];
  // Several described elements are not what the document is about, but what it lists.
  const [root, ...others] = [...described];
  const subject = others.length === 0 ? root : undefined;
  let whole: SbomComponent | null = null;
  const yieldNow = yieldToEventLoop();
  for (const [place, row] of packages.entries()) {
    await yieldNow();
    const pointer = `/packages/${place}`;
    const each = packageSchema.safeParse(row);
    if (!each.success) skipped.push({ pointer, reason: describeRow(packageSchema, each.error) });
    else {
      const component = toComponent(each.data, pointer, scopes.of(each.data.SPDXID), licenceNames);
      if (each.data.SPDXID === subject) whole = component;
      else components.push(component);
    }
  }
  return {
    format: spdxVersion.replace('-', ' '),
    subject: {
      name: whole?.name || (name ?? null),
      refs: subject === undefined ? [] : [subject],
      component: whole,
    },
    components,
    skipped,
    graph: { dependsOn, contains, known, listsDirect: false },
    vulnerabilities: [],
  };
}

/** SPDX's purposes of a package, in CycloneDX's words. */
const kinds: Readonly<Record<string, string>> = {
  APPLICATION: 'application',
  FRAMEWORK: 'framework',
  CONTAINER: 'container',
  'OPERATING-SYSTEM': 'operating-system',
  OPERATING_SYSTEM: 'operating-system',
  DEVICE: 'device',
  FIRMWARE: 'firmware',
  FILE: 'file',
};

/** SPDX 2.2 has no purposes: there only Trivy's ids tell what a package is. */
function kindOf(id: string, purpose: string | undefined): string {
  const [, hint = ''] = /^SPDXRef-(OperatingSystem|Application|ContainerImage|Filesystem)-/.exec(id) ?? [];
  if (purpose === undefined && hint !== '') return hint === 'OperatingSystem' ? 'operating-system' : 'application';
  return kinds[purpose ?? ''] ?? 'library';
}

function toComponent(
  given: Package,
  pointer: string,
  scope: Scope,
  licenceNames: ReadonlyMap<string, string>,
): SbomComponent {
  const { SPDXID, name, versionInfo, supplier, licenseConcluded, licenseDeclared, primaryPackagePurpose } = given;
  const licenceOf = (words: string | undefined) =>
    toLicence(licenceNames.get(words ?? '') ?? words, !licenceNames.has(words ?? ''));
  return {
    pointer,
    ref: SPDXID,
    kind: kindOf(SPDXID, primaryPackagePurpose),
    group: null,
    name: name ?? '',
    version: versionInfo || null,
    purls: (given.externalRefs ?? []).flatMap(({ referenceType, referenceLocator }) =>
      referenceType?.endsWith('purl') && referenceLocator !== undefined ? [referenceLocator] : [],
    ),
    scope,
    deprecated: null,
    licences: distinctLicences([licenceOf(licenseConcluded) ?? licenceOf(licenseDeclared)]),
    hashes: distinctHashes(
      (given.checksums ?? []).map(({ algorithm, checksumValue }) => ({ alg: algorithm, content: checksumValue })),
    ),
    supplier: toSupplier(supplier),
    ancestors: [],
  };
}

const extractedSchema = z.object({ licenseId: z.string(), name: z.string() });

/** The names of licences that only this document knows, by their ids in it. */
function extractedLicences(rows: readonly unknown[]): Map<string, string> {
  const parsed = rows.slice(0, maxComponents).flatMap((row) => extractedSchema.safeParse(row).data ?? []);
  return new Map(parsed.map(({ licenseId, name }) => [licenseId, name]));
}

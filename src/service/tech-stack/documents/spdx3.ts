import * as z from 'zod';
import { yieldToEventLoop } from '../../../shared/async/yield-to-event-loop.js';
import { isRecord } from '../../../shared/json/is-record.js';
import { distinctHashes, distinctLicences, toLicence, toSupplier } from './component-facts.js';
import { describeRow } from './row-fault.js';
import { maxComponents, type Sbom, type SbomComponent, type SkippedRow } from './sbom.js';
import { readSpdx3Relationships, type Spdx3Relationships, typeName } from './spdx3-relationships.js';
import { tooManyComponents, unreadableSbom } from './unreadable-sbom.js';

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? undefined);

/** The part of an SPDX 3.0 package that a tech stack needs (https://spdx.github.io/spdx-spec/v3.0.1/model/Software/Classes/Package/). */
const packageSchema = z.object({
  spdxId: z.string(),
  name: text,
  suppliedBy: z.unknown().optional(),
  software_packageVersion: text,
  software_packageUrl: text,
  software_primaryPurpose: text.catch(undefined),
  externalIdentifier: z
    .array(z.object({ externalIdentifierType: text, identifier: text }))
    .nullish()
    .catch(null),
  verifiedUsing: z
    .array(z.object({ algorithm: text, hashValue: text }))
    .nullish()
    .catch(null),
});
type Package = z.output<typeof packageSchema>;

const documentSchema = z.object({ '@graph': z.array(z.unknown()) });

type Element = Readonly<Record<string, unknown>>;

/** Whether a document says that it is SPDX 3. */
export function isSpdx3(document: object): boolean {
  const context = '@context' in document ? JSON.stringify(document['@context'])?.slice(0, 1000) : undefined;
  return '@graph' in document && context?.includes('spdx.org/rdf/3') === true;
}

/** Reads an SPDX 3.0 document in JSON-LD, its elements side by side in `@graph`. */
export async function readSpdx3(document: object): Promise<Sbom> {
  const parsed = documentSchema.safeParse(document);
  if (!parsed.success) throw unreadableSbom(documentSchema, parsed.error);
  const rows = parsed.data['@graph'];
  const elements = await elementsById(rows);
  const relationships = await readSpdx3Relationships(rows);
  const root = rootOf(rows, elements, relationships);
  const components: SbomComponent[] = [];
  const skipped: SkippedRow[] = [];
  let whole: SbomComponent | null = null;
  const yieldNow = yieldToEventLoop();
  for (const [place, row] of rows.entries()) {
    await yieldNow();
    if (!typeName(row).endsWith('Package')) continue;
    if (components.length + skipped.length === maxComponents) throw tooManyComponents();
    const pointer = `/@graph/${place}`;
    const each = packageSchema.safeParse(row);
    if (!each.success) skipped.push({ pointer, reason: describeRow(packageSchema, each.error) });
    else {
      const component = toComponent(each.data, typeName(row), pointer, elements, relationships);
      if (each.data.spdxId === root) whole = component;
      else components.push(component);
    }
  }
  const { dependsOn, contains, known } = relationships;
  return {
    format: 'SPDX 3.0',
    subject: { name: whole?.name || null, refs: root === undefined ? [] : [root], component: whole },
    components,
    skipped,
    graph: { dependsOn, contains, known, listsDirect: false },
    vulnerabilities: [],
  };
}

async function elementsById(rows: readonly unknown[]): Promise<Map<string, Element>> {
  const elements = new Map<string, Element>();
  const yieldNow = yieldToEventLoop();
  for (const row of rows) {
    await yieldNow();
    if (isRecord(row) && typeof row['spdxId'] === 'string') elements.set(row['spdxId'], row);
  }
  return elements;
}

/** Collections within collections: a document has an SBOM, which has the package it is of. */
const maxCollections = 4;

/** The one package that the document is about. */
function rootOf(
  rows: readonly unknown[],
  elements: ReadonlyMap<string, Element>,
  { described }: Spdx3Relationships,
): string | undefined {
  let roots = rows.filter((row) => typeName(row) === 'SpdxDocument').flatMap(rootElements);
  if (roots.length === 0) roots = rows.filter((row) => typeName(row) === 'Sbom').flatMap(rootElements);
  if (roots.length === 0) roots = [...described];
  for (let depth = 0; depth < maxCollections; depth++) {
    const [only, ...others] = roots;
    const element = others.length > 0 || only === undefined ? undefined : elements.get(only);
    if (element === undefined) return undefined;
    if (typeName(element).endsWith('Package')) return only;
    roots = rootElements(element);
  }
  return undefined;
}

function rootElements(collection: unknown): string[] {
  const roots = isRecord(collection) ? collection['rootElement'] : undefined;
  return [roots].flat().filter((each) => typeof each === 'string');
}

/** SPDX's purposes of a package that CycloneDX has a type for. */
const kinds: Readonly<Record<string, string>> = {
  application: 'application',
  framework: 'framework',
  container: 'container',
  operatingSystem: 'operating-system',
  device: 'device',
  firmware: 'firmware',
  file: 'file',
  data: 'data',
};

function toComponent(
  given: Package,
  type: string,
  pointer: string,
  elements: ReadonlyMap<string, Element>,
  { scopes, concluded, declared }: Spdx3Relationships,
): SbomComponent {
  const { spdxId, name, suppliedBy, software_packageUrl, externalIdentifier, verifiedUsing } = given;
  const licencesOf = (licences: ReadonlyMap<string, readonly string[]>) =>
    distinctLicences((licences.get(spdxId) ?? []).map((id) => licenceOf(id, elements.get(id))));
  const chosen = licencesOf(concluded);
  const supplier = typeof suppliedBy === 'string' ? elements.get(suppliedBy) : suppliedBy;
  const isPlain = type === 'Package';
  return {
    pointer,
    ref: spdxId,
    kind: isPlain ? (kinds[given.software_primaryPurpose ?? ''] ?? 'library') : 'data',
    group: null,
    name: name ?? '',
    version: given.software_packageVersion || null,
    purls: [
      ...(software_packageUrl === undefined ? [] : [software_packageUrl]),
      ...(externalIdentifier ?? []).flatMap(({ externalIdentifierType, identifier }) =>
        externalIdentifierType === 'packageUrl' && identifier !== undefined ? [identifier] : [],
      ),
    ],
    scope: scopes.of(spdxId),
    deprecated: null,
    licences: chosen.length > 0 ? chosen : licencesOf(declared),
    hashes: distinctHashes(
      (verifiedUsing ?? []).map(({ algorithm, hashValue }) => ({ alg: algorithm, content: hashValue })),
    ),
    supplier: toSupplier(textOf(supplier, 'name')),
    ancestors: [],
  };
}

function textOf(element: unknown, field: string): string | undefined {
  const value = isRecord(element) ? element[field] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** A licence element; one of the SPDX list may be named by its address alone. */
function licenceOf(id: string, element: Element | undefined) {
  const listed = /^https?:\/\/spdx\.org\/licenses\/([^/]+)$/.exec(id)?.[1];
  const expression = textOf(element, 'simplelicensing_licenseExpression');
  if (expression !== undefined) return toLicence(expression, true);
  return toLicence(listed ?? textOf(element, 'name'));
}

import * as z from 'zod';
import { yieldToEventLoop } from '../../../shared/async/yield-to-event-loop.js';
import { isRecord } from '../../../shared/json/is-record.js';
import type { Completeness } from '../../db/tables/projects.js';
import { distinctHashes, distinctLicences, toLicence, toSupplier } from './component-facts.js';
import { deprecationProperty, scopeOf } from './component-properties.js';
import { describeRow } from './row-fault.js';
import { addEdge, maxComponents, type Sbom, type SbomComponent, type SkippedRow } from './sbom.js';
import { tooManyComponents, unreadableSbom } from './unreadable-sbom.js';

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? undefined);
/** XML has the fields of `license` in the entry itself. */
const named = { id: text, name: text };
const licence = z.object({ ...named, expression: text, license: z.object(named).nullish().catch(null) });

/** The part of a CycloneDX component that a tech stack needs (https://cyclonedx.org/docs/1.7/json/). */
const componentSchema = z.object({
  type: text,
  'bom-ref': text,
  group: text,
  name: text,
  version: text,
  purl: text,
  scope: text,
  supplier: z.object({ name: text }).nullish().catch(null),
  licenses: z.array(licence).nullish().catch(null),
  hashes: z
    .array(z.object({ alg: text, content: text }))
    .nullish()
    .catch(null),
  properties: z
    .array(z.object({ name: text, value: text }))
    .nullish()
    .catch(null),
  pedigree: z
    .object({ ancestors: z.array(z.unknown()).nullish().catch(null) })
    .nullish()
    .catch(null),
});
type Component = z.output<typeof componentSchema>;

/** A ref; XML has an element with the ref. */
const reference = z.union([z.string(), z.object({ ref: z.string() }).transform(({ ref }) => ref)]);
const dependencySchema = z.object({ ref: z.string(), dependsOn: z.array(reference).nullish() });
const compositionSchema = z.object({ aggregate: z.string(), dependencies: z.array(reference).nullish() });

const documentSchema = z.object({
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.enum(['1.2', '1.3', '1.4', '1.5', '1.6', '1.7']),
  metadata: z
    .object({ component: componentSchema.extend({ components: z.array(z.unknown()).nullish().catch(null) }).nullish() })
    .nullish(),
  components: z.array(z.unknown()).nullish(),
  dependencies: z.array(z.unknown()).nullish().catch(null),
  compositions: z.array(z.unknown()).nullish().catch(null),
  vulnerabilities: z.array(z.unknown()).nullish().catch(null),
});

/** Ancestors of one component. */
const maxAncestors = 20;

/** Levels of components within components; real documents have at most three. */
const maxDepth = 64;

/** Whether a document says that it is CycloneDX. */
export function isCycloneDx(document: object): boolean {
  return 'bomFormat' in document && document.bomFormat === 'CycloneDX';
}

/**
 * Reads a CycloneDX document. One without `components` is refused: it is a VEX statement, and as an inventory it would
 * remove all packages of its source.
 */
export async function readCycloneDx(document: object): Promise<Sbom> {
  const parsed = documentSchema.safeParse(document);
  if (!parsed.success) throw unreadableSbom(documentSchema, parsed.error);
  const { specVersion, metadata, components, dependencies, compositions, vulnerabilities } = parsed.data;
  if (components === null || components === undefined) {
    const isVex = (vulnerabilities ?? []).length > 0;
    throw unreadableSbom(`has no components${isVex ? ': with vulnerabilities alone it is a VEX document' : ''}`);
  }
  const subject = metadata?.component;
  const dependsOn = await readDependencies(dependencies ?? []);
  return {
    format: `CycloneDX ${specVersion}`,
    subject: {
      name: subject?.name ?? null,
      refs: [subject?.['bom-ref'], subject?.purl].filter((ref) => ref !== undefined).slice(0, 1),
      component: subject ? toComponent(subject, '/metadata/component') : null,
    },
    ...(await readComponents(components, subject?.components ?? [])),
    graph: { dependsOn, contains: new Map(), known: readCompositions(compositions ?? []), listsDirect: true },
    vulnerabilities: vulnerabilities ?? [],
  };
}

/** Level by level instead of by recursion, because the sender decides how deep a document nests. */
async function readComponents(
  roots: readonly unknown[],
  ofSubject: readonly unknown[],
): Promise<{ readonly components: SbomComponent[]; readonly skipped: SkippedRow[] }> {
  const components: SbomComponent[] = [];
  const skipped: SkippedRow[] = [];
  const yieldNow = yieldToEventLoop();
  let level: { readonly pointer: string; readonly rows: readonly unknown[] }[] = [
    { pointer: '/components', rows: roots },
    { pointer: '/metadata/component/components', rows: ofSubject },
  ];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === maxDepth) throw unreadableSbom(`must not nest components deeper than ${maxDepth} levels`);
    const inner: typeof level = [];
    for (const { pointer: folder, rows } of level) {
      if (components.length + skipped.length + rows.length > maxComponents) throw tooManyComponents();
      for (const [place, row] of rows.entries()) {
        await yieldNow();
        const pointer = `${folder}/${place}`;
        const parsed = componentSchema.safeParse(row);
        if (parsed.success) components.push(toComponent(parsed.data, pointer));
        else skipped.push({ pointer, reason: describeRow(componentSchema, parsed.error) });
        const parts = isRecord(row) ? row['components'] : undefined;
        if (Array.isArray(parts)) inner.push({ pointer: `${pointer}/components`, rows: parts });
      }
    }
    level = inner;
  }
  return { components, skipped };
}

function toComponent(component: Component, pointer: string): SbomComponent {
  const { type, group, name, version, purl, supplier, licenses, hashes, properties } = component;
  const licences = (licenses ?? []).map(({ expression, license, ...given }) => {
    const { id, name } = license ?? given;
    return expression === undefined ? toLicence(id ?? name) : toLicence(expression, true);
  });
  return {
    pointer,
    ref: component['bom-ref'] ?? purl ?? null,
    kind: type ?? 'library',
    group: group || null,
    name: name ?? '',
    version: version || null,
    purls: purl === undefined ? [] : [purl],
    scope: scopeOf(component.scope, properties ?? []),
    deprecated: properties?.find((property) => property.name === deprecationProperty)?.value ?? null,
    licences: distinctLicences(licences),
    hashes: distinctHashes(hashes ?? []),
    supplier: toSupplier(supplier?.name),
    ancestors: (component.pedigree?.ancestors ?? []).slice(0, maxAncestors).flatMap((ancestor, nth) => {
      const parsed = componentSchema.safeParse(ancestor);
      return parsed.success
        ? toComponent({ ...parsed.data, pedigree: null }, `${pointer}/pedigree/ancestors/${nth}`)
        : [];
    }),
  };
}

async function readDependencies(rows: readonly unknown[]): Promise<Map<string, string[]>> {
  const dependsOn = new Map<string, string[]>();
  const yieldNow = yieldToEventLoop();
  for (const row of rows) {
    await yieldNow();
    const parsed = dependencySchema.safeParse(row);
    if (!parsed.success) continue;
    for (const to of parsed.data.dependsOn ?? []) addEdge(dependsOn, parsed.data.ref, to);
  }
  return dependsOn;
}

/** Of several statements on one ref the most careful counts. */
function readCompositions(rows: readonly unknown[]): Map<string, NonNullable<Completeness>> {
  const known = new Map<string, NonNullable<Completeness>>();
  for (const row of rows) {
    const parsed = compositionSchema.safeParse(row);
    if (!parsed.success) continue;
    const { aggregate, dependencies } = parsed.data;
    const state = aggregate === 'complete' ? 'complete' : aggregate.startsWith('incomplete') ? 'incomplete' : null;
    if (state === null) continue;
    for (const ref of dependencies ?? []) if (known.get(ref) !== 'incomplete') known.set(ref, state);
  }
  return known;
}

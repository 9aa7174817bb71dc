import * as z from 'zod';

const component = z.object({ 'bom-ref': z.string(), name: z.string().min(1), purl: z.string().optional() });

const conventional = z.object({
  serialNumber: z.string().regex(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/),
  metadata: z.object({
    timestamp: z.iso.datetime(),
    tools: z.object({ components: z.array(z.object({ name: z.string() })).min(1) }),
    component: z.object({ 'bom-ref': z.string() }),
    manufacturer: z.object({ name: z.string().min(1) }),
  }),
  components: z.array(component),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()).default([]) })),
  compositions: z.array(z.object({ aggregate: z.string(), dependencies: z.array(z.string()) })),
  vulnerabilities: z
    .array(z.object({ 'bom-ref': z.string(), affects: z.array(z.object({ ref: z.string() })) }))
    .default([]),
});

/** A package URL in the canonical form of ECMA-427, as far as its text alone shows: encoding, order, no empty parts. */
function isCanonical(purl: string): boolean {
  const [, path = '', qualifiers] = /^pkg:[a-z][a-z0-9.+-]*\/([^?#]+)(?:\?([^#]+))?(?:#.+)?$/.exec(purl) ?? [];
  const segments = path
    .split('/')
    .flatMap((segment, place, all) => (place === all.length - 1 ? segment.split('@') : [segment]));
  const keys = (qualifiers ?? '').split('&').map((pair) => pair.split('=', 1)[0] ?? '');
  const isEncoded = (text: string) => /^(?:[A-Za-z0-9.\-_~:]|%[0-9A-F]{2})+$/.test(text);
  return path !== '' && segments.every(isEncoded) && keys.join() === [...keys].sort().join();
}

function duplicates(values: readonly string[]): string[] {
  const seen = new Set<string>();
  return values.filter((value) => seen.size === seen.add(value).size);
}

/** What the schema does not ask and every reader of the document relies on. */
export function conventionFaults(document: unknown): string[] {
  const parsed = conventional.safeParse(document);
  if (!parsed.success) return parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  const { metadata, components, dependencies, compositions, vulnerabilities } = parsed.data;
  const refs = [metadata.component['bom-ref'], ...components.map((each) => each['bom-ref'])];
  const known = new Set(refs);
  const purls = components.flatMap(({ purl }) => purl ?? []);
  const used = [
    ...dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]),
    ...compositions.flatMap((each) => each.dependencies),
    ...vulnerabilities.flatMap(({ affects }) => affects.map(({ ref }) => ref)),
  ];
  const stated = compositions.flatMap((each) => each.dependencies);
  const inCompositions = new Set(stated);
  return [
    ...duplicates([...refs, ...vulnerabilities.map((each) => each['bom-ref'])]).map((ref) => `bom-ref twice: ${ref}`),
    ...duplicates(purls).map((purl) => `component twice: ${purl}`),
    ...duplicates(dependencies.map(({ ref }) => ref)).map((ref) => `dependencies twice: ${ref}`),
    ...duplicates(stated).map((ref) => `in two compositions: ${ref}`),
    ...refs.filter((ref) => !inCompositions.has(ref)).map((ref) => `in no composition: ${ref}`),
    ...used.filter((ref) => !known.has(ref)).map((ref) => `names nothing: ${ref}`),
    ...dependencies.flatMap(({ ref, dependsOn }) => (dependsOn.includes(ref) ? [`depends on itself: ${ref}`] : [])),
    ...dependencies.flatMap(({ dependsOn }) => duplicates(dependsOn).map((ref) => `depends on twice: ${ref}`)),
    ...purls.filter((purl) => !isCanonical(purl)).map((purl) => `not canonical: ${purl}`),
  ];
}

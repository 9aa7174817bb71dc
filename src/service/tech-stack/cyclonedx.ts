import * as z from 'zod';

/** CycloneDX JSON as far as a tech stack needs it (https://cyclonedx.org/docs/1.7/json/). Other keys are not looked at. */
const componentSchema = z.object({
  'bom-ref': z.string().optional(),
  name: z.string().optional(),
  version: z.string().optional(),
  purl: z.string().optional(),
  scope: z.string().optional(),
  properties: z.array(z.object({ name: z.string().optional(), value: z.string().optional() })).optional(),
  components: z.array(z.unknown()).optional(),
});

export type Component = z.infer<typeof componentSchema>;

const documentSchema = z.object({
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.enum(['1.2', '1.3', '1.4', '1.5', '1.6', '1.7']),
  metadata: z.object({ component: componentSchema.optional() }).optional(),
  components: z.array(z.unknown()).optional(),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()).optional() })).optional(),
});

/** An SBOM taken apart: the component it describes, every component in it, and what the described one depends on. */
export interface Sbom {
  readonly subject: string | null;
  readonly components: readonly Component[];
  /** `bom-ref`s of direct dependencies; null where the document does not say. */
  readonly direct: ReadonlySet<string> | null;
}

/** Levels of components in components; real documents have three at most. */
const deepest = 64;

/** Components of one document, nested ones included. */
const mostComponents = 200_000;

/**
 * Reads a CycloneDX document; null where it is none, of another version, or nests too deep. A document without
 * `components` is none either: it is a VEX statement, and to take it for an empty inventory would empty the stack.
 */
export function readSbom(document: unknown): Sbom | null {
  const parsed = documentSchema.safeParse(document);
  if (!parsed.success || parsed.data.components === undefined) return null;
  const { metadata, dependencies = [] } = parsed.data;
  const components = flatten(parsed.data.components);
  if (components === null) return null;
  const subject = metadata?.component;
  const ref = subject?.['bom-ref'] ?? subject?.purl;
  const direct = dependencies.find((dependency) => dependency.ref === ref)?.dependsOn ?? [];
  return { subject: subject?.name ?? null, components, direct: direct.length === 0 ? null : new Set(direct) };
}

/** Level by level, not by recursion: how deep a document nests is its sender's choice. */
function flatten(roots: readonly unknown[]): Component[] | null {
  const components: Component[] = [];
  let level = roots;
  for (let depth = 0; level.length > 0; depth++) {
    const parsed = z.array(componentSchema).safeParse(level);
    if (!parsed.success || depth === deepest || components.length + level.length > mostComponents) return null;
    for (const component of parsed.data) components.push(component);
    level = parsed.data.flatMap((component) => component.components ?? []);
  }
  return components;
}

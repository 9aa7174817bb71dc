import * as z from 'zod';

/** The part of CycloneDX JSON that a tech stack needs (https://cyclonedx.org/docs/1.7/json/). */
const componentSchema = z.object({
  'bom-ref': z.string().optional(),
  group: z.string().optional(),
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

/** A parsed SBOM: the component it describes, all components in it, and the direct dependencies of the first. */
export interface Sbom {
  readonly subject: string | null;
  readonly components: readonly Component[];
  /** `bom-ref`s of direct dependencies; null where the document does not say. */
  readonly direct: ReadonlySet<string> | null;
}

/** Levels of components within components; real documents have at most three. */
const maxDepth = 64;

/** Components of one document, including nested ones. */
const maxComponents = 200_000;

/**
 * Reads a CycloneDX document. Null for other documents and versions, and for components nested too deep. Null also
 * without `components`: such a document is a VEX statement, and as an inventory it would remove all packages of the
 * source.
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

/** Level by level instead of by recursion, because the sender decides how deep a document nests. */
function flatten(roots: readonly unknown[]): Component[] | null {
  const components: Component[] = [];
  let level = roots;
  for (let depth = 0; level.length > 0; depth++) {
    const parsed = z.array(componentSchema).safeParse(level);
    if (!parsed.success || depth === maxDepth || components.length + level.length > maxComponents) return null;
    for (const component of parsed.data) components.push(component);
    level = parsed.data.flatMap((component) => component.components ?? []);
  }
  return components;
}

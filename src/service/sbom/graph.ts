import { compareText } from '../../shared/text/compare-text.js';
import type { Completeness } from '../db/tables/projects.js';
import { identityOf, type ManifestFacts, sortedKeys } from '../tech-stack/stack-package.js';
import type { UnmatchedComponent } from '../tech-stack/unmatched-component.js';
import type { NamedComponent } from './components.js';
import type { Inventory } from './inventory.js';

/** CycloneDX `dependencies` and `compositions` of a document. */
export interface DocumentGraph {
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
  readonly compositions: readonly { readonly aggregate: string; readonly dependencies: readonly string[] }[];
}

interface Node {
  readonly ref: string;
  readonly dependsOn: readonly string[];
  readonly known: Completeness;
}

/**
 * The graph below the project. A component stands in it where a source told its dependencies; by CycloneDX's rule, one that
 * does not has unknown dependencies. `compositions` says of each whether the list is complete, which nothing else says.
 */
export function documentGraph(
  projectRef: string,
  components: readonly NamedComponent[],
  others: readonly UnmatchedComponent[],
  inventory: Inventory,
): DocumentGraph {
  const refs = new Map<string, string>([
    ...components.map((each) => [identityOf(each), each.purl] as const),
    ...others.map((each) => [each.key, each.key] as const),
  ]);
  const nodes = [
    projectNode(projectRef, components, others, inventory),
    ...components.map((each) => nodeOf(each.purl, each, refs)),
    ...others.map((each) => nodeOf(each.key, each, refs)),
  ];
  const withAggregate = (known: Completeness) => nodes.filter((node) => node.known === known).map(({ ref }) => ref);
  return {
    dependencies: nodes
      .filter(({ dependsOn, known }) => dependsOn.length > 0 || known !== null)
      .map(({ ref, dependsOn }) => ({ ref, ...(dependsOn.length > 0 && { dependsOn }) })),
    compositions: [
      { aggregate: 'complete', dependencies: withAggregate('complete') },
      { aggregate: 'incomplete', dependencies: withAggregate('incomplete') },
      { aggregate: 'unknown', dependencies: withAggregate(null) },
    ].filter(({ dependencies }) => dependencies.length > 0),
  };
}

function nodeOf(
  ref: string,
  { dependencies, dependencies_known }: ManifestFacts,
  refs: ReadonlyMap<string, string>,
): Node {
  const dependsOn = dependencies.flatMap((key) => refs.get(key) ?? []).filter((each) => each !== ref);
  // A package that was removed or changed by hand is no longer there to be named.
  const lost = dependencies.some((key) => !refs.has(key));
  return { ref, dependsOn: sortedKeys(dependsOn), known: lost ? 'incomplete' : dependencies_known };
}

/**
 * The project itself: complete only if each source knows all that the project asks for, incomplete where some packages may
 * be direct or not.
 */
function projectNode(
  ref: string,
  components: readonly NamedComponent[],
  others: readonly UnmatchedComponent[],
  { items, others: rows, sources }: Inventory,
): Node {
  const direct = [
    ...components.filter((each) => each.direct === true).map(({ purl }) => purl),
    ...others.filter((each) => each.direct === true).map(({ key }) => key),
  ].sort(compareText);
  const knownOf = new Map(
    sources.map(({ source, direct_known, lacks_some }) => [source, lacks_some ? 'incomplete' : direct_known]),
  );
  const named = new Set([...knownOf.keys(), ...[...items, ...rows].map(({ source }) => source)]);
  const states = [...named].map((source) => knownOf.get(source) ?? null);
  if (states.length > 0 && states.every((state) => state === 'complete'))
    return { ref, dependsOn: direct, known: 'complete' };
  const isUnknown = ({ direct }: { readonly direct: boolean | null }) => direct === null;
  const isPart = direct.length > 0 && [...components, ...others].some(isUnknown);
  return { ref, dependsOn: direct, known: isPart || states.includes('incomplete') ? 'incomplete' : null };
}

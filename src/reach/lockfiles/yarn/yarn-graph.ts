import { groupBy } from '../group-by.js';
import { PackageList, type Reading, type Tarball, type Unplaced } from '../package-list.js';
import { type AskersOf, rangesOf } from '../ranges.js';
import { type Edges, fieldsFrom, type Roots } from '../scopes.js';
import type { Source } from '../source.js';

/** One resolution of a Yarn lock file. Several may be the same package: an alias, or a patched copy. */
export interface Resolution {
  /** Name and version, `lodash@4.17.21`: the key of the package, which edges and roots refer to. */
  readonly identity: string;
  readonly name: string;
  readonly version: string | undefined;
  /** Names of its peers. */
  readonly peers?: readonly string[];
  /** Whether a package with unknown peers may expect it. */
  readonly hasHiddenDependents?: boolean;
  readonly tarball?: Tarball;
  /** Where it comes from, if not from a registry: its version is the package's own word. */
  readonly elsewhere?: Pick<Unplaced, 'reason' | 'stated'> | null;
  /** Why no registry has it, or null. */
  readonly skipped: string | null;
  readonly edges: Edges;
}

/** The packages of a Yarn lock file, with the scopes that the project's manifests give them. */
export function readResolutions(
  source: Source,
  resolutions: readonly Resolution[],
  roots: Roots,
  askersOf: AskersOf,
): Reading {
  const list = new PackageList(source.file, 'npm');
  const edges = new Map<string, Edges>();
  const groups = groupBy(resolutions, ({ identity }) => identity);
  for (const [identity, group] of groups) {
    edges.set(identity, {
      required: group.flatMap((resolution) => resolution.edges.required),
      optional: group.flatMap((resolution) => resolution.edges.optional ?? []),
      ...rangesOf(group.flatMap((resolution) => [...(resolution.edges.ranges ?? [])])),
    });
  }
  const fieldsOf = fieldsFrom(roots, edges);
  for (const [identity, group] of groups) {
    const [first] = group;
    if (first.skipped !== null) list.own({ name: first.name, at: identity, as: first.skipped });
    else {
      for (const { elsewhere } of group) {
        if (elsewhere) list.doubt({ name: first.name, ...elsewhere, at: identity });
      }
      list.add({
        ...fieldsOf(identity),
        name: first.name,
        version: first.version,
        ...askersOf(identity),
        ...(first.peers && { peers: first.peers }),
        ...(first.hasHiddenDependents && { hasHiddenDependents: true }),
        ...(first.tarball && { tarball: first.tarball }),
      });
    }
  }
  return list.finish();
}

import { groupBy } from '../group-by.js';
import { PackageList, type Reading } from '../package-list.js';
import { closestToProduction, type Edges, type Entrances, scopesFrom } from '../scopes.js';
import type { Source } from '../source.js';

/** What a Yarn lock file says of one resolution. Several may be the same package: an alias, or a patched copy. */
export interface Resolution {
  /** Name and version, `lodash@4.17.21`; the key of the package, and what edges and entrances lead to. */
  readonly identity: string;
  readonly name: string;
  readonly version: string | undefined;
  /** Names that it expects its user to bring. */
  readonly peers?: readonly string[];
  /** Why it is no package of a registry, or null. */
  readonly skipped: string | null;
  readonly edges: Edges;
}

/** The packages of a Yarn lock file, with the scopes that the project's own manifests give them. */
export function readResolutions(
  source: Source,
  resolutions: readonly Resolution[],
  entrances: Entrances,
  isDirect: (identity: string) => boolean | null,
): Reading {
  const list = new PackageList(source.file, 'npm');
  const edges = new Map<string, Edges>();
  const groups = groupBy(resolutions, ({ identity }) => identity);
  for (const [identity, group] of groups) {
    edges.set(identity, {
      required: group.flatMap((resolution) => resolution.edges.required),
      optional: group.flatMap((resolution) => resolution.edges.optional),
    });
  }
  const edgesOf = (identity: string) => edges.get(identity) ?? { required: [], optional: [] };
  const scopes = scopesFrom(entrances, edgesOf);
  for (const [identity, [first]] of groups) {
    if (first === undefined) continue;
    if (first.skipped !== null) list.skip(first.skipped);
    else {
      list.add({
        key: identity,
        name: first.name,
        version: first.version,
        scope: closestToProduction([scopes.get(identity)]),
        direct: isDirect(identity),
        deprecated: null,
        ...(first.peers === undefined ? {} : { peers: first.peers }),
        dependencies: [...edgesOf(identity).required, ...edgesOf(identity).optional],
      });
    }
  }
  return list.finish();
}

import { type Asking, partsOf, ruleOf } from './edit-rules.js';
import type { Place } from './edits.js';
import { type Graph, type Installed, neededBy, packageIn } from './graph.js';
import { entriesToDelete } from './refresh.js';
import { peersOf, type Resolver, rangeOf } from './resolver.js';
import { isBefore, versionOf } from './tool-version.js';

/** The means of a project's tools to change what is installed. */
export interface Reach {
  /** True if the tool can renew the package inside the ranges, also one that others bring in. */
  renews(node: Installed): boolean;
  /** Entries of the lock file that have to be deleted for that. */
  entries(node: Installed): readonly string[];
  /** True if each dependent can have a version of its own, so that a direct dependency moves whatever others ask for. */
  nests(node: Installed): boolean;
  /** The packages of the source that ask for this one, in any version. */
  askings(node: Installed): readonly Asking[];
}

export function reachOf(graph: Graph, resolver: Resolver): Reach {
  const unrenewed = belowPeers(graph, resolver);
  const known = new Map<string, readonly string[] | null>();
  const versionsOf = (node: Installed) => graph.versions.get(packageIn(node.source, node)) ?? [];
  const toPlace = (node: Installed): Place => ({
    ...node,
    needed: graph.dependents.has(node.place),
    bundled_in: null,
  });
  const askings = (node: Installed): Asking[] =>
    versionsOf(node).flatMap((each) =>
      (graph.dependents.get(each.place) ?? []).map((dependent) => ({
        name: dependent.name,
        range: rangeOf(resolver, dependent, each),
        gets: each.version,
      })),
    );
  const entriesOf = (node: Installed): readonly string[] | null => {
    const key = packageIn(node.source, node);
    const before = known.get(key);
    if (before !== undefined) return before;
    const places = versionsOf(node).map(toPlace);
    const asking = askings(node);
    const isUnrenewed = versionsOf(node).some((each) => unrenewed.has(each));
    const entries = isUnrenewed ? [null] : places.map((place) => entriesToDelete(place, places, asking));
    const all = entries.some((each) => each === null) ? null : entries.flatMap((each) => each ?? []);
    known.set(key, all);
    return all;
  };
  return {
    renews: (node) => entriesOf(node) !== null,
    entries: (node) => [...new Set(entriesOf(node))],
    nests: ({ source, tool }) => ruleOf(source, tool)?.nests !== undefined,
    askings,
  };
}

/**
 * The packages that are installed only because they are peers, and what these bring in: pnpm 11 leaves them as they are locked, also where
 * an update names them.
 */
function belowPeers(graph: Graph, resolver: Resolver): ReadonlySet<Installed> {
  const users = [...graph.nodes.values()].filter(leavesPeers);
  const found = new Set(
    users.flatMap((node) => peersOf(graph, resolver, node)).filter(({ direct }) => direct !== true),
  );
  for (const node of found) for (const needed of neededBy(node, graph)) found.add(needed);
  return found;
}

function leavesPeers({ source, tool }: Installed): boolean {
  const version = versionOf(tool);
  return partsOf(source).file === 'pnpm-lock.yaml' && (version === null || !isBefore(version, [11, 0]));
}

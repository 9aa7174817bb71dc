import { groupBy } from '../lockfiles/group-by.js';
import { type DependencyGraph, packageKey } from './dependency-graph.js';
import { silentHosts } from './hosts.js';

/**
 * Finds the packages that a package may load by name when it runs, or that load it: its peers (an ORM names its drivers), and
 * those that name it as a peer (a plugin names its host), unless the host is known to load none. Only what the project itself
 * asks for: nothing else is loaded in this way without an edge that says so.
 */
export function namedAtRunTime(graph: DependencyGraph): (node: number) => readonly number[] {
  const { nodes } = graph;
  const nameOf = (node: number) => {
    const locked = nodes[node]?.locked;
    return locked === undefined ? '' : packageKey(locked.ecosystem, locked.name);
  };
  const peersOf = (node: number) => {
    const locked = nodes[node]?.locked;
    return (locked?.peers ?? []).map((peer) => packageKey(locked?.ecosystem ?? 'npm', peer));
  };
  const isSilent = silentHosts(graph);
  const asked = [...nodes.keys()].filter((node) => nodes[node]?.locked.direct !== false);
  const askedByName = groupBy(asked, nameOf);
  const pluginsByHost = groupBy(
    asked.flatMap((node) => peersOf(node).map((host) => ({ node, host }))),
    ({ host }) => host,
  );
  return (node) => {
    const peers = peersOf(node).flatMap((peer) => askedByName.get(peer) ?? []);
    const plugins = (pluginsByHost.get(nameOf(node)) ?? []).filter((plugin) => !isSilent(plugin.node, node));
    return [...peers, ...plugins.map((plugin) => plugin.node)];
  };
}

import { listsOf } from '../knowledge/knowledge.js';
import { groupBy } from '../lockfiles/group-by.js';
import { type DependencyGraph, packageKey } from './dependency-graph.js';

const listed = listsOf('javascript/hosts');
const silentHost = new RegExp(`^(?:${listed('silent').join('|')})$`);
const addsImports = new RegExp(`^(?:${listed('addingImports').join('|')})$`);

/** Libraries that a framework takes into an application by itself. */
const takenAlong = /native|expo|^react-dom$|^react-scripts$|^@mdx-js\//;

/**
 * Whether a plugin, by a peer that it names as its host, is surely not loaded by the host. Never where something in its lock
 * file adds imports, and never for a package of the host's own family: frameworks load those together. Nor where another lock
 * file has the plugin too: source that is linked in from there may import it.
 *
 * @returns a test of the plugin's and the host's entry
 */
export function silentHosts({ nodes }: DependencyGraph): (plugin: number, host: number) => boolean {
  const adding = new Set(nodes.flatMap(({ lockfile, locked }) => (addsImports.test(locked.name) ? lockfile : [])));
  const silent = new Set(
    nodes.flatMap(({ locked: { ecosystem, name } }) =>
      ecosystem === 'npm' && silentHost.test(name) ? packageKey(ecosystem, name) : [],
    ),
  );
  const lockfilesOf = groupBy(nodes, ({ locked }) => locked.name);
  const scopeOf = (name: string) => (name.startsWith('@') ? name.slice(0, name.indexOf('/')) : name);
  return (plugin, host) => {
    const found = nodes[plugin];
    const hostPackage = nodes[host]?.locked;
    if (found === undefined || hostPackage === undefined) return false;
    const { lockfile, locked } = found;
    return (
      silent.has(packageKey(hostPackage.ecosystem, hostPackage.name)) &&
      !adding.has(lockfile) &&
      (lockfilesOf.get(locked.name) ?? []).every((other) => other.lockfile === lockfile) &&
      !takenAlong.test(locked.name) &&
      scopeOf(locked.name) !== scopeOf(hostPackage.name)
    );
  };
}

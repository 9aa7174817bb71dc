import { rowsOf } from '../knowledge/knowledge.js';
import { scopeOfEnvironment } from './environment-scope.js';
import { normalisePython, requirementName } from './names.js';
import type { Reading } from './package-list.js';

const byHost = new Map(Object.entries(rowsOf('python/companions')));

/** Extras that hold the packages of all others, those for development too. */
const everything = new Set(['all', 'full', 'complete', 'everything', 'all-extras']);

/**
 * Adds to each package, as its `peers`, what it loads by itself where that is installed: known companions, and what its
 * extras name. Only names that the same lock file has are listed. An extra for development gives none.
 *
 * @param extrasOf the requirements of a package by extra, where the lock file lists all of them
 */
export function withPythonPeers(
  { packages, ...rest }: Reading,
  extrasOf: (key: string) => Extras = () => ({}),
): Reading {
  const names = new Map(packages.map(({ name }) => [normalisePython(name), name]));
  const withPeers = packages.map((found) => {
    const host = normalisePython(found.name);
    const wanted = [...(byHost.get(host) ?? []), ...namesIn(extrasOf(found.key))];
    const peers = [...new Set(wanted.flatMap((name) => (name === host ? [] : (names.get(name) ?? []))))];
    return peers.length === 0 ? found : { ...found, peers };
  });
  return { packages: withPeers, ...rest };
}

type Extras = Readonly<Record<string, readonly string[]>> | undefined;

function namesIn(extras: Extras = {}): string[] {
  return Object.entries(extras).flatMap(([extra, wanted]) =>
    everything.has(extra) || scopeOfEnvironment(extra) === 'development'
      ? []
      : wanted.flatMap((requirement) => requirementName(requirement) ?? []).map(normalisePython),
  );
}

/** The names of a package's peers. `peerDependenciesMeta` alone can name an optional peer of any version. */
export function peersOf(entry: {
  readonly peerDependencies?: Readonly<Record<string, unknown>> | undefined;
  readonly peerDependenciesMeta?: Readonly<Record<string, unknown>> | undefined;
}): { readonly peers?: string[] } {
  const peers = Object.keys({ ...entry.peerDependencies, ...entry.peerDependenciesMeta });
  return peers.length === 0 ? {} : { peers };
}

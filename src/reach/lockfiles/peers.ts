interface PeerSections {
  readonly peerDependencies?: Readonly<Record<string, unknown>> | undefined;
  readonly peerDependenciesMeta?: Readonly<Record<string, unknown>> | undefined;
}

/** The names of a package's peers. `peerDependenciesMeta` alone can name an optional peer of any version. */
export function peersOf({ peerDependencies, peerDependenciesMeta }: PeerSections): { readonly peers?: string[] } {
  const peers = Object.keys({ ...peerDependencies, ...peerDependenciesMeta });
  return peers.length === 0 ? {} : { peers };
}

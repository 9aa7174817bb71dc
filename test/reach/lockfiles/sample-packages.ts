/** Every kind of edge that a lock file has: optional, peer, nested copies, circles, what no system can install. */
export const samplePackages = {
  'leaf@1.0.0': {},
  'leaf@2.0.0': {},
  'shared@1.0.0': { dependencies: { leaf: '^1' } },
  'host@1.0.0': {},
  'host@2.0.0': { dependencies: { leaf: '^2' } },
  'plugin@1.0.0': { peerDependencies: { host: '>=1' }, dependencies: { shared: '^1' } },
  'round@1.0.0': { dependencies: { trip: '^1' } },
  'trip@1.0.0': { dependencies: { round: '^1' }, optionalDependencies: { extra: '^1' } },
  'extra@1.0.0': { dependencies: { 'only-extra': '^1', leaf: '^1' } },
  'only-extra@1.0.0': {},
  'wanted@1.0.0': { dependencies: { '@s/inner': '^1' } },
  '@s/inner@1.0.0': { optionalDependencies: { native: '^1' } },
  'native@1.0.0': { os: ['no-such-system'], dependencies: { 'only-native': '^1' } },
  'only-native@1.0.0': {},
  'tool@1.0.0': { dependencies: { shared: '^1', 'only-tool': '^1' }, optionalDependencies: { watcher: '^1' } },
  'only-tool@1.0.0': { dependencies: { leaf: '^2' } },
  'watcher@1.0.0': {},
  'peer-in-need@1.0.0': { peerDependencies: { 'found-by-itself': '^1' } },
  'found-by-itself@1.0.0': { dependencies: { 'only-peer': '^1' } },
  'only-peer@1.0.0': {},
  'may-have@1.0.0': { peerDependencies: { host: '*' }, peerDependenciesMeta: { host: { optional: true } } },
};

/** A project that asks for them in every way. */
export const sampleProject = {
  name: 'project',
  version: '1.0.0',
  dependencies: { shared: '^1', round: '^1', renamed: 'npm:leaf@^2', host: '^1', plugin: '^1', 'may-have': '^1' },
  optionalDependencies: { wanted: '^1', extra: '^1' },
  devDependencies: { tool: '^1', leaf: '^1', 'peer-in-need': '^1' },
};

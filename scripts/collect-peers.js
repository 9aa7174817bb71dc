// Collects which peers npm packages expect, for lock files of Yarn 1, which do not say it.
//
//   node scripts/collect-peers.js LOCKFILE… > src/reach/lockfiles/yarn/known-peers.ts
//
// Source: package-lock.json, pnpm-lock.yaml and yarn.lock (Yarn 2 and later) of public applications. They repeat the fields
// `peerDependencies` and `peerDependenciesMeta` of the packages' manifests, which are facts of the public registry. A file
// that cannot be parsed is passed over. Peers that have no code of their own (types, the compiler) are left out, and
// so are packages that one file alone has, unless they expect more than their framework.
import { readFileSync } from 'node:fs';
import { FAILSAFE_SCHEMA, loadAll } from 'js-yaml';

const withoutCode = /^@types\/|^typescript$/;
const common =
  /^(?:react|react-dom|react-native|vue|@angular\/\w+|eslint|@babel\/core|postcss|rollup|vite|webpack|jest)$/;

const peers = new Map();
const files = new Map();

function add(file, name, entry) {
  const names = Object.keys({ ...entry.peerDependencies, ...entry.peerDependenciesMeta });
  const expected = names.filter((peer) => !withoutCode.test(peer));
  if (expected.length === 0) return;
  peers.set(name, new Set([...(peers.get(name) ?? []), ...expected]));
  files.set(name, new Set([...(files.get(name) ?? []), file]));
}

function read(file) {
  const text = readFileSync(file, 'utf8');
  if (file.endsWith('.json')) {
    for (const [key, entry] of Object.entries(JSON.parse(text).packages ?? {})) {
      const name = entry.name ?? /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(key)?.[1];
      if (name !== undefined && key.includes('node_modules/')) add(file, name, entry);
    }
    return;
  }
  const value = loadAll(text, { schema: FAILSAFE_SCHEMA }).at(-1) ?? {};
  const isPnpm = file.endsWith('.yaml');
  for (const [key, entry] of Object.entries((isPnpm ? value.packages : value) ?? {})) {
    const [, name] =
      (isPnpm ? /^\/?((?:@[^/]+\/)?[^/@]+)[@/]/ : /^((?:@[^/]+\/)?[^@]+)@npm:/).exec(
        isPnpm ? key : (entry.resolution ?? ''),
      ) ?? [];
    if (name !== undefined) add(file, name, entry);
  }
}

for (const file of process.argv.slice(2)) {
  try {
    read(file);
  } catch (error) {
    process.stderr.write(`${file}: ${String(error).split('\n', 1)[0]}\n`);
  }
}

const groups = new Map();
for (const [name, expected] of peers) {
  if (files.get(name).size < 2 && [...expected].every((peer) => common.test(peer))) continue;
  const key = [...expected].sort().join(',');
  groups.set(key, [...(groups.get(key) ?? []), name]);
}
const rows = [...groups].map(([key, names]) => `${key} ${names.sort().join(',')}`).sort();
process.stdout.write(`/**
 * Peers of npm packages, in rows of \`peer,peer package,package\`: each package expects all peers of its row. Optional ones
 * are among them. Made by scripts/collect-peers.js, which says from what.
 */
export const knownPeers = \`
${rows.join('\n')}
\`;
`);

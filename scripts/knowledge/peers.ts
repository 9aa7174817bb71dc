import { readFileSync } from 'node:fs';
import { FAILSAFE_SCHEMA, loadAll } from 'js-yaml';
import * as z from 'zod';
import { writeTable } from './write-table.js';

/*
 * Writes knowledge/javascript/peers.json: which peers npm packages expect, for lock files of Yarn 1, which do not say it.
 *
 *   node_modules/.bin/rolldown scripts/knowledge/peers.ts --platform node -o node_modules/.cache/peers.mjs
 *   node node_modules/.cache/peers.mjs LOCKFILE...
 *   npm run fix
 *
 * Source: package-lock.json, pnpm-lock.yaml and yarn.lock (Yarn 2 and later) of public applications. They repeat the fields
 * `peerDependencies` and `peerDependenciesMeta` of the packages' manifests, which are facts of the public registry. A file
 * that cannot be parsed is passed over.
 */

const withoutCode = /^@types\/|^typescript$/;
const common =
  /^(?:react|react-dom|react-native|vue|@angular\/\w+|eslint|@babel\/core|postcss|rollup|vite|webpack|jest)$/;

const names = z.record(z.string(), z.unknown()).optional().catch(undefined);
const entry = z.looseObject({
  name: z.string().optional(),
  resolution: z.string().optional(),
  peerDependencies: names,
  peerDependenciesMeta: names,
});
const entries = z.record(z.string(), entry.catch({}));
const withPackages = z.object({ packages: entries.catch({}) });

type Entry = z.output<typeof entry>;

const peers = new Map<string, Set<string>>();
const files = new Map<string, Set<string>>();

function add(file: string, name: string | undefined, { peerDependencies, peerDependenciesMeta }: Entry): void {
  if (name === undefined) return;
  const expected = Object.keys({ ...peerDependencies, ...peerDependenciesMeta }).filter(
    (peer) => !withoutCode.test(peer),
  );
  if (expected.length === 0) return;
  peers.set(name, new Set([...(peers.get(name) ?? []), ...expected]));
  files.set(name, new Set([...(files.get(name) ?? []), file]));
}

function read(file: string): void {
  const text = readFileSync(file, 'utf8');
  if (file.endsWith('.json')) {
    for (const [key, found] of Object.entries(withPackages.parse(JSON.parse(text)).packages))
      if (key.includes('node_modules/'))
        add(file, found.name ?? /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(key)?.[1], found);
    return;
  }
  const value = loadAll(text, { schema: FAILSAFE_SCHEMA }).at(-1) ?? {};
  if (file.endsWith('.yaml'))
    for (const [key, found] of Object.entries(withPackages.parse(value).packages))
      add(file, /^\/?((?:@[^/]+\/)?[^/@]+)[@/]/.exec(key)?.[1], found);
  else
    for (const found of Object.values(entries.parse(value)))
      add(file, /^((?:@[^/]+\/)?[^@]+)@npm:/.exec(found.resolution ?? '')?.[1], found);
}

const inputs = process.argv.slice(2).filter((file) => {
  try {
    read(file);
    return true;
  } catch (error) {
    process.stderr.write(`${file}: ${String(error).split('\n', 1)[0]}\n`);
    return false;
  }
});

const isKept = (name: string, expected: ReadonlySet<string>) =>
  (files.get(name)?.size ?? 0) > 1 || [...expected].some((peer) => !common.test(peer));
const rows = [...peers].flatMap(([name, expected]) => (isKept(name, expected) ? [[name, [...expected].sort()]] : []));
writeTable('knowledge/javascript/peers.json', 'scripts/knowledge/peers.ts', inputs, Object.fromEntries(rows));

import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { readLockfile } from '../../../../src/reach/lockfiles/lockfile.js';
import { folderWith } from '../../folder.js';
import { loopbackRegistry, packed } from '../loopback-registry.js';
import { samplePackages, sampleProject } from '../sample-packages.js';

const require = createRequire(import.meta.url);
const program = join(require.resolve('pnpm'), '../bin/pnpm.cjs');

type Node = {
  readonly from: string;
  readonly version: string;
  readonly path: string;
  readonly dependencies?: Readonly<Record<string, Node>> | undefined;
  readonly optionalDependencies?: Readonly<Record<string, Node>> | undefined;
};
const node: z.ZodType<Node> = z.object({
  from: z.string(),
  version: z.string(),
  path: z.string(),
  dependencies: z.lazy(() => section).optional(),
  optionalDependencies: z.lazy(() => section).optional(),
});
const section = z.record(z.string(), node);
const projects = z.array(
  z.object({
    dependencies: section.default({}),
    devDependencies: section.default({}),
    optionalDependencies: section.default({}),
  }),
);
const manifest = z.object({ name: z.string(), version: z.string() });

/** Installs a project and lets pnpm, another implementation, list it. */
async function install(folder: string, registry: string) {
  const home = folderWith({});
  const run = async (...args: string[]) => {
    const env = {
      PATH: process.env['PATH'],
      HOME: home,
      XDG_CACHE_HOME: join(home, 'cache'),
      XDG_DATA_HOME: join(home, 'data'),
      CI: '1',
      npm_config_registry: registry,
      npm_config_store_dir: join(home, 'store'),
      npm_config_update_notifier: 'false',
    };
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], {
      cwd: folder,
      env,
      maxBuffer: 1 << 26,
    });
    return stdout;
  };
  await run('install', '--ignore-scripts', '--no-frozen-lockfile');
  return async (...flags: string[]) => {
    const listed = projects.parse(
      JSON.parse(await run('ls', '--recursive', '--json', '--depth', 'Infinity', ...flags)),
    );
    const all = new Set<string>();
    const visit = (found: Node): string[] => {
      for (const next of [found.dependencies, found.optionalDependencies]) Object.values(next ?? {}).forEach(visit);
      const identity = identityOf(found);
      if (identity !== null) all.add(identity);
      return identity === null ? [] : [identity];
    };
    const direct = listed.flatMap((project) =>
      Object.values(project).flatMap((each) => Object.values(each).flatMap(visit)),
    );
    return { all, direct: new Set(direct) };
  };
}

/** `name@version` as the installed package says it; null for a folder of the project. */
function identityOf({ from, version, path }: Node): string | null {
  const file = join(path, 'package.json');
  if (/^link:|^file:(?!.*\.tgz)/.test(version)) return null;
  if (!existsSync(file)) return `${from}@${version}`;
  const installed = manifest.parse(JSON.parse(readFileSync(file, 'utf8')));
  return `${installed.name}@${installed.version}`;
}

const workspace = {
  'pnpm-workspace.yaml': "packages: ['packages/*']\noverrides: {'only-tool>leaf': 1.0.0}\n",
  'package.json': JSON.stringify({
    name: 'root',
    private: true,
    devDependencies: { tool: '^1', '@acme/b': 'workspace:*' },
  }),
  'packages/a/package.json': JSON.stringify({
    name: '@acme/a',
    version: '1.0.0',
    dependencies: { '@acme/b': 'workspace:*', plugin: '^1', host: '^1', packed: 'file:packed.tgz' },
    devDependencies: { wanted: '^1' },
  }),
  'packages/b/package.json': JSON.stringify({
    name: '@acme/b',
    version: '1.0.0',
    dependencies: { trip: '^1' },
    optionalDependencies: { watcher: '^1' },
    peerDependencies: { host: '*' },
    devDependencies: { host: '^2', plugin: '^1', leaf2: 'npm:leaf@^2' },
  }),
  'packages/c/package.json': JSON.stringify({
    name: '@acme/c',
    version: '1.0.0',
    dependencies: { '@acme/b': 'workspace:*', host: '^1' },
    dependenciesMeta: { '@acme/b': { injected: true } },
    devDependencies: { extra: '^1' },
  }),
};

describe('pnpm-lock.yaml of an installed tree agrees with pnpm ls', () => {
  test.each<[string, Readonly<Record<string, string>>, number]>([
    ['a project', { 'package.json': JSON.stringify(sampleProject) }, 18],
    ['a workspace', workspace, 18],
  ])(
    '%s: names, versions, scopes and what is direct',
    async (_name, files, atLeast) => {
      const tarball = packed('packed', '3.0.0', { dependencies: { '@s/inner': '^1' } }).bytes;
      const registry = await loopbackRegistry(samplePackages);
      const folder = folderWith({ ...files, 'packages/a/packed.tgz': tarball });
      const list = await install(folder, registry);
      const { all, direct } = await list();
      const production = await list('--prod');
      const required = await list('--prod', '--no-optional');
      const scopeOf = (each: string) =>
        required.all.has(each) ? 'runtime' : production.all.has(each) ? 'optional' : 'development';
      const expected = [...all].map((each) => `${each} ${scopeOf(each)} ${direct.has(each)}`).sort();
      expect(expected.length).toBeGreaterThanOrEqual(atLeast);
      expect(new Set([...all].map(scopeOf))).toEqual(new Set(['runtime', 'optional', 'development']));

      const { packages: found } = await readLockfile(join(folder, 'pnpm-lock.yaml'));
      expect(
        found.map(({ name, version, scope, direct: isDirect }) => `${name}@${version} ${scope} ${isDirect}`).sort(),
      ).toEqual(expected);
    },
    180_000,
  );
});

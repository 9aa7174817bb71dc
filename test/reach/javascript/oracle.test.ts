import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { afterAll, describe, expect, test } from 'vitest';
import { readFolder } from './reading.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

interface Tree {
  readonly name: string;
  /** A folder of this checkout to copy, or files to write. */
  readonly source: string | Readonly<Record<string, string>>;
  readonly entries: readonly string[];
}

/** Real trees: this project's own programs, and what packages that are installed bring as source. */
const trees: readonly Tree[] = [
  { name: 'postern', source: '.', entries: ['src/bin/postern.ts', 'src/service/db/database-worker.ts'] },
  { name: 'postern reach', source: '.', entries: ['src/bin/reach.ts'] },
  { name: 'postern client', source: '.', entries: ['src/client/index.ts'] },
  {
    name: '@trpc/server',
    source: 'node_modules/@trpc/server',
    entries: ['src/index.ts', 'src/adapters/express.ts', 'src/adapters/ws.ts'],
  },
  { name: '@trpc/client', source: 'node_modules/@trpc/client', entries: ['src/index.ts'] },
  { name: 'express', source: 'node_modules/express', entries: ['index.js'] },
  { name: 'undici', source: 'node_modules/undici', entries: ['index.js'] },
  { name: 'pino', source: 'node_modules/pino', entries: ['pino.js'] },
  { name: 'pg', source: 'node_modules/pg', entries: ['lib/index.js'] },
  { name: 'ajv', source: 'node_modules/ajv', entries: ['dist/ajv.js'] },
  { name: 'vite', source: 'node_modules/vite', entries: ['dist/node/index.js'] },
  {
    name: 'written',
    source: {
      'package.json': '{"name":"app","imports":{"#db":"./src/db.ts"}}',
      'tsconfig.json': '{"compilerOptions":{"jsx":"react","paths":{"@/*":["./src/*"]}}}',
      'src/main.ts':
        "import '#db'; import { util } from '@/util'; import type { T } from 'p-type'; import { U } from 'p-erased'; const u: U = util(); import('./lazy.js'); const x = require('p-require'); export default x",
      'src/db.ts': "import db from 'p-db/sub'; db.connect()",
      'src/util/index.ts': "export const util = () => require.resolve ? 1 : 2; export { y } from 'p-reexport'",
      'src/lazy.ts': "import 'p-lazy'; import { Q } from './erased'; let q: Q; import fs from 'node:fs'; fs.x()",
      'src/erased.ts': "import 'p-not-reached'; export interface Q {}",
      'src/unused.ts': "import 'p-not-reached'",
    },
    entries: ['src/main.ts'],
  },
];

const folder = mkdtempSync(join(tmpdir(), 'oracle-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const packageOf = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
const isOutside = (specifier: string) =>
  !/^(?:[./#]|@\/|node:|@app\/)/.test(specifier) && !builtinModules.includes(specifier) && !specifier.startsWith('\0');

/** The packages that the bundler imports, with every bare specifier left outside. */
async function bundled(place: string, entries: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  const build = await rolldown({
    cwd: place,
    input: [...entries],
    platform: 'node',
    logLevel: 'silent',
    treeshake: false,
    tsconfig: existsSync(join(place, 'tsconfig.json')),
    external: (specifier, _, isResolved) => {
      if (isResolved || !isOutside(specifier)) return false;
      found.add(packageOf(specifier));
      return true;
    },
  });
  await build.generate({ format: 'esm' });
  await build.close();
  return [...found].sort();
}

function prepare({ name, source }: Tree): string {
  const place = join(folder, typeof source === 'string' ? source.replace(/^\.$/, 'postern') : name);
  if (existsSync(place)) return place;
  if (typeof source === 'string') {
    mkdirSync(place, { recursive: true });
    for (const child of readdirSync(join(root, source))) {
      if (['node_modules', '.git', 'docs', 'test', 'bench', ...(source === '.' ? ['dist'] : [])].includes(child))
        continue;
      cpSync(join(root, source, child), join(place, child), {
        recursive: true,
        filter: (path) => !path.slice(root.length + source.length).includes('node_modules/'),
      });
    }
  } else {
    for (const [path, text] of Object.entries(source)) {
      mkdirSync(dirname(join(place, path)), { recursive: true });
      writeFileSync(join(place, path), text);
    }
  }
  return place;
}

describe('against a bundler that leaves packages outside', () => {
  let both = 0;
  let oracle = 0;
  let ours = 0;

  test.each(trees)(
    '$name',
    async (tree) => {
      const place = prepare(tree);
      const expected = await bundled(place, tree.entries);
      // Every name that stands in the tree like a specifier is known, so that nothing is missed for want of a lock file.
      const names = new Set(expected);
      for (const path of readdirSync(place, { recursive: true, encoding: 'utf8' })) {
        if (!/\.[mc]?[jt]sx?$/.test(path)) continue;
        for (const match of readFileSync(join(place, path), 'utf8').matchAll(
          /["']((?:@[\w-]+\/)?[\w.-]+)(?:\/[\w./-]*)?["']/g,
        )) {
          const [, name = ''] = match;
          if (isOutside(name)) names.add(name);
        }
      }
      const found = await readFolder(place, [...names], tree.entries);
      const reached = [
        ...new Set(
          found.uses
            .filter(({ site }) => site.reached && !site.typeOnly && !['mention', 'resolve'].includes(site.kind))
            .map(({ packageName }) => packageName),
        ),
      ].sort();
      const missed = expected.filter((name) => !reached.includes(name));
      const extra = reached.filter((name) => !expected.includes(name));
      both += expected.length - missed.length;
      oracle += expected.length;
      ours += reached.length;
      console.log(
        `${tree.name}: ${expected.length} packages by the bundler, missed ${JSON.stringify(missed)}, more ${JSON.stringify(extra)}`,
      );
      expect(missed).toEqual([]);
    },
    60_000,
  );

  test('finds at least 99.5 % of the packages, and 98 % of what it finds is right', () => {
    console.log(
      `recall ${((100 * both) / oracle).toFixed(1)} %, precision ${((100 * both) / ours).toFixed(1)} %, of ${oracle} packages in ${trees.length} trees`,
    );
    expect(both / oracle).toBeGreaterThanOrEqual(0.995);
    expect(both / ours).toBeGreaterThanOrEqual(0.98);
  });
});

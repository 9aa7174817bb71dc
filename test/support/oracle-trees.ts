import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** A source tree that the analysis and a bundler read. */
export interface OracleTree {
  readonly name: string;
  /** A folder of this checkout to copy, or files to write. */
  readonly source: string | Readonly<Record<string, string>>;
  readonly entries: readonly string[];
}

/** The programs of this project, the sources of installed packages, and a small tree written for the comparison. */
export const oracleTrees: readonly OracleTree[] = [
  { name: 'postern', source: '.', entries: ['src/bin/postern.ts', 'src/service/db/embedded/database-worker.ts'] },
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
  { name: 'pino', source: 'node_modules/pino', entries: ['pino.js', 'lib/worker.js'] },
  { name: 'pg', source: 'node_modules/pg', entries: ['lib/index.js'] },
  { name: 'ajv', source: 'node_modules/ajv', entries: ['dist/ajv.js'] },
  { name: 'vite', source: 'node_modules/vite', entries: ['dist/node/index.js', 'dist/client/client.mjs'] },
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

const checkout = resolve(import.meta.dirname, '../..');

/** Folders that are not source of the programs. */
const excludedFolders = ['node_modules', '.git', 'docs', 'test', 'bench'];

/** Copies a tree into a folder, without installed packages. Trees with the same source share the copy. */
export function placeTree({ name, source }: OracleTree, folder: string, root: string = checkout): string {
  const place = join(folder, typeof source === 'string' ? source.replace(/^\.$/, 'checkout') : name);
  if (existsSync(place)) return place;
  mkdirSync(place, { recursive: true });
  if (typeof source === 'string') {
    const leftOut = source === '.' ? [...excludedFolders, 'dist'] : excludedFolders;
    for (const child of readdirSync(join(root, source)).filter((each) => !leftOut.includes(each))) {
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

import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { walkTree } from '../../../src/reach/analysis/tree.js';
import { readTreeLockfiles } from '../../../src/reach/analysis/tree-lockfiles.js';
import { readRuns } from '../../../src/reach/runs/read-runs.js';
import { folderWith } from '../folder.js';
import { follow, loadedNames } from './following.js';

const checkout = join(import.meta.dirname, '../../..');

const edges = z.record(z.string(), z.unknown()).default({});
const lock = z.object({
  packages: z.record(
    z.string(),
    z.object({ dependencies: edges, optionalDependencies: edges, peerDependencies: edges }),
  ),
});

/** A tree with these packages of this checkout, all that they depend on, and its lock file. */
function treeWith(program: string, names: readonly string[]): string {
  const text = readFileSync(join(checkout, 'package-lock.json'), 'utf8');
  const { packages } = lock.parse(JSON.parse(text));
  const places = new Set(names.map((name) => `node_modules/${name}`));
  // A set also visits what is added to it meanwhile. Nested packages come with the folder that they are in.
  for (const place of places) {
    const nested = Object.keys(packages).filter((other) => other.startsWith(`${place}/`));
    for (const { dependencies, optionalDependencies, peerDependencies } of [place, ...nested].flatMap(
      (each) => packages[each] ?? [],
    )) {
      const wanted = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
      for (const name of wanted) if (`node_modules/${name}` in packages) places.add(`node_modules/${name}`);
    }
  }
  const root = folderWith({ 'app.mjs': program, 'package.json': '{"type":"module"}', 'package-lock.json': text });
  for (const place of places) {
    try {
      cpSync(join(checkout, place), join(root, place), { recursive: true });
    } catch {
      // An optional package of another platform is not installed.
    }
  }
  return root;
}

test.each([
  [
    'express',
    "import express from 'express'; const s = express().use(express.json()).get('/', (_, r) => r.send('x')).listen(0, '127.0.0.1', async () => { await fetch(`http://127.0.0.1:${s.address().port}`); s.close() })",
  ],
  ['pg', "import pg from 'pg'; await new pg.Pool({ host: '127.0.0.1', port: 1 }).query('select 1').catch(() => {})"],
  [
    'pino',
    "import pino from 'pino'; pino({ transport: { target: 'pino/file', options: { destination: '/dev/null' } } }).info('x')",
  ],
  ['supertest', "import request from 'supertest'; await request((_, response) => response.end()).get('/')"],
  [
    'ajv-formats-draft2019',
    "import Ajv from 'ajv'; import formats from 'ajv-formats-draft2019'; formats(new Ajv.default())",
  ],
  [
    '@modelcontextprotocol/sdk',
    "import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'; new McpServer({ name: 'a', version: '1' })",
  ],
  ['knip', "import 'knip'"],
  [
    'undici',
    "import 'undici'; import 'yauzl'; import 'jose'; import 'htmlparser2'; import 'kysely'; import 'standardwebhooks'",
    ['yauzl', 'jose', 'htmlparser2', 'kysely', 'standardwebhooks'],
  ],
] as const)('whatever Node loads of %s is loaded', async (name, program, others: readonly string[] = []) => {
  const root = treeWith(program, [name, ...others]);
  const coverage = folderWith({});
  execFileSync(process.execPath, ['app.mjs'], { cwd: root, env: { ...process.env, NODE_V8_COVERAGE: coverage } });
  const tree = await walkTree(root);
  const { lockfiles } = await readTreeLockfiles(tree);
  const [run] = await readRuns({ tree, lockfiles, folders: [coverage], progress: () => {} });
  const truth = run === undefined ? [] : loadedNames(run);
  expect(truth.map((each) => each.replace(/ .*/, ''))).toContain(name);
  const found = loadedNames(await follow(root, { entries: ['app.mjs'] }));
  expect(truth.filter((each) => !found.includes(each))).toEqual([]);
});

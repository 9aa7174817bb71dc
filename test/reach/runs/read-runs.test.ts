import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync, symlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LoadingEvidence } from '../../../src/reach/analysis/loading.js';
import { walkTree } from '../../../src/reach/analysis/tree.js';
import { readTreeLockfiles } from '../../../src/reach/analysis/tree-lockfiles.js';
import { readRuns } from '../../../src/reach/runs/read-runs.js';
import { project } from '../deep/following.js';
import { folderWith } from '../folder.js';

async function read(root: string, ...folders: string[]): Promise<LoadingEvidence[]> {
  const tree = await walkTree(root);
  const { lockfiles } = await readTreeLockfiles(tree);
  return readRuns({ tree, lockfiles, folders, progress: () => {} });
}

function names(evidence: LoadingEvidence | undefined): string[] {
  return (evidence?.loaded ?? []).map(({ ecosystem, name, version }) => `${ecosystem} ${name} ${version}`).sort();
}

function coverageOf(...urls: string[]): string {
  return JSON.stringify({ result: urls.map((url) => ({ scriptId: '1', url, functions: [] })) });
}

describe('V8 coverage', () => {
  const packages = {
    a: { manifest: { dependencies: { b: '*' } }, files: { 'index.js': "require('b'); exports.f = () => {}" } },
    b: { files: { 'index.js': '1' } },
    'a/node_modules/b': { version: '2.0.0', files: { 'index.js': '1' } },
    never: { files: { 'index.js': '1' } },
  };
  const app = { 'app.js': "require('a'); eval('1'); require('node:os')" };

  test('of a real process: what was loaded, with the version of its place', async () => {
    const root = folderWith(project(app, packages));
    const coverage = folderWith({});
    execFileSync(process.execPath, ['app.js'], { cwd: root, env: { ...process.env, NODE_V8_COVERAGE: coverage } });
    const [run] = await read(root, coverage);
    expect(names(run)).toEqual(['npm a 1.0.0', 'npm b 2.0.0']);
    expect(run).toMatchObject({ kind: 'run', followed: [], gaps: [] });
  });

  test('of a container, whose paths are others, also where nothing is installed here', async () => {
    const coverage = folderWith({
      'coverage-1.json': coverageOf(
        'file:///app/node_modules/a/index.js',
        'file:///app/node_modules/a/node_modules/b/index.js',
        'file:///app/node_modules/unknown/index.js',
        'file:///app/src/a.js',
        'node:fs',
        'evalmachine.<anonymous>',
      ),
    });
    for (const installed of [Object.keys(packages), []]) {
      expect(names((await read(folderWith(project(app, packages, installed)), coverage))[0])).toEqual([
        'npm a 1.0.0',
        'npm b 2.0.0',
      ]);
    }
  });

  test('of places that say the version, and of one that says none', async () => {
    const coverage = folderWith({
      'nested/coverage-1.json': coverageOf(
        'file:///app/node_modules/.pnpm/b@2.0.0/node_modules/b/index.js',
        'file:///app/.yarn/cache/a-npm-1.0.0-0123456789-0123456789.zip/node_modules/a/index.js',
        'file:///other/place/node_modules/x/node_modules/never/index.js',
      ),
    });
    expect(names((await read(folderWith(project(app, packages, [])), coverage))[0])).toEqual([
      'npm a 1.0.0',
      'npm b 2.0.0',
      'npm never null',
    ]);
  });

  test('of many megabytes, in which a name lies across two pieces', async () => {
    const root = folderWith(project(app, packages));
    const coverage = folderWith({});
    const file = openSync(join(coverage, 'coverage-1.json'), 'w');
    writeSync(file, '{"result":[');
    const filler = `{"scriptId":"1","url":"node:x","functions":[${'0,'.repeat(1000)}0]},`;
    for (let written = 0; written < 24_000_000; written += filler.length) writeSync(file, filler);
    for (let at = 0; at < 3000; at++) writeSync(file, `{"url":"file:///app/node_modules/a/${'x'.repeat(3000)}.js"},`);
    writeSync(file, '{"scriptId":"2","url":"file:///app/node_modules/never/index.js"}]}');
    closeSync(file);
    expect(names((await read(root, coverage))[0])).toEqual(['npm a 1.0.0', 'npm never 1.0.0']);
  });

  test.each([
    'file:///app/node_modules/../../../etc/passwd',
    'file:///app/node_modules/__proto__/index.js',
    'file:///app/node_modules/constructor/index.js',
    'file:///app/node_modules/.bin/a',
    'file:///app/node_modules/%2e%2e/%2e%2e/a',
    'file:///app/node_modules/%zz',
    'file://host/app/node_modules/a/index.js',
    'https://example.org/node_modules/a/index.js',
    `file:///${'x'.repeat(10_000)}/node_modules/a/index.js`,
  ])('a URL that names no package of the project: %.60s', async (url) => {
    const coverage = folderWith({ 'coverage-1.json': coverageOf(url) });
    expect(names((await read(folderWith(project(app, packages)), coverage))[0])).toEqual([]);
  });

  test('a name in a string of the recording is no script', async () => {
    const inString = JSON.stringify({ url: 'file:///app/node_modules/never/index.js' });
    const coverage = folderWith({ 'coverage-1.json': JSON.stringify({ result: [{ functionName: inString }] }) });
    expect(names((await read(folderWith(project(app, packages)), coverage))[0])).toEqual([]);
  });
});

describe("Python's import log", () => {
  const root = () =>
    folderWith({ 'requirements.txt': 'requests==2.31.0\nPyYAML==6.0\nnever==1.0\nurllib3==2.0.0\n', 'app.py': '' });

  test.each([
    [
      '-X importtime',
      'import time: self [us] | cumulative | imported package\nimport time:       123 |        456 |   requests.api\nimport time:        12 |         12 | yaml\n',
    ],
    [
      '-v',
      "import 'requests' # <_frozen_importlib_external.SourceFileLoader object at 0x7f>\nimport yaml # from x\n# never is not imported\n",
    ],
    ['a list of sys.modules', JSON.stringify(['os', 'requests.api', 'yaml', 'a b', 7])],
  ])('%s', async (_, text) => {
    const [run] = await read(root(), folderWith({ 'imports.txt': text.replace(',7]', ']') }));
    expect(names(run)).toEqual(['PyPI PyYAML null', 'PyPI requests null']);
  });

  test('of a real interpreter', async () => {
    const log = folderWith({});
    const output = openSync(join(log, 'imports.log'), 'w');
    execFileSync('python3', ['-X', 'importtime', '-c', 'import json'], { stdio: ['ignore', 'ignore', output] });
    closeSync(output);
    expect(readFileSync(join(log, 'imports.log'), 'utf8')).toContain('json.decoder');
    expect(names((await read(root(), log))[0])).toEqual([]);
  });
});

test('each folder is an evidence of its own', async () => {
  const root = folderWith(project({}, { a: {}, b: {} }));
  const folders = ['a', 'b'].map((name) => folderWith({ 'c.json': coverageOf(`file:///x/node_modules/${name}/i.js`) }));
  expect((await read(root, ...folders)).map(names)).toEqual([['npm a 1.0.0'], ['npm b 1.0.0']]);
});

test('a folder without a recording, and none at all, are errors that say what was expected', async () => {
  const root = folderWith(project({}, { a: {} }));
  const outside = folderWith({ 'c.json': coverageOf('file:///x/node_modules/a/i.js') });
  const linked = folderWith({ 'readme.txt': 'no recording', 'x.json': '{"a":1}', 'y.json': '[[]]', 'z.bin': 'x' });
  symlinkSync(join(outside, 'c.json'), join(linked, 'c.json'));
  expect(readdirSync(linked)).toContain('c.json');
  for (const [folder, why] of [
    [linked, 'has no recorded run'],
    [join(linked, 'missing'), 'is no folder that can be read'],
  ] as const) {
    await expect(read(root, folder)).rejects.toThrow(
      new RegExp(`^--coverage .*${why}: expected JSON of NODE_V8_COVERAGE`),
    );
  }
});

import { describe, expect, test } from 'vitest';
import { analyzeTree } from '../../../src/reach/analysis/analyze-tree.js';
import { folderWith } from '../folder.js';

async function analyzed(files: Readonly<Record<string, string>>, workspace?: string) {
  const options = { folder: folderWith(files), entries: [], workspace, version: '1.0.0', progress: () => {} };
  const { report, readNothing, gaps } = await analyzeTree(options);
  const usages = Object.fromEntries(report.dependencies.map(({ purl, usage }) => [purl.replace(/^pkg:/, ''), usage]));
  return { report, readNothing, gaps, usages };
}

const lock = (...names: string[]) =>
  JSON.stringify({
    lockfileVersion: 3,
    packages: {
      '': { dependencies: Object.fromEntries(names.map((name) => [name, '1'])) },
      ...Object.fromEntries(names.map((name) => [`node_modules/${name}`, { version: '1.0.0' }])),
    },
  });
const npm = (...names: string[]) => ({
  'package.json': JSON.stringify({ main: 'index.js', dependencies: Object.fromEntries(names.map((n) => [n, '1'])) }),
  'package-lock.json': lock(...names),
});
const inFolder = (folder: string, files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));

describe('packages of which no source was read', () => {
  test('are not analyzed: a folder with a lock file alone is no search', async () => {
    const { report, usages, readNothing, gaps } = await analyzed(npm('lodash', 'left'));
    expect(usages).toEqual({ 'npm/lodash@1.0.0': 'not_analyzed', 'npm/left@1.0.0': 'not_analyzed' });
    expect(readNothing).toBe(true);
    expect(gaps).toMatchObject([{ kind: 'no_source', file: 'package-lock.json', hidden: 2 }]);
    expect(report).toMatchObject({
      complete: false,
      ecosystems: [{ ecosystem: 'npm', packages: 2, files: 0, evidence: [], judged: 0, gap_count: 1 }],
    });
    expect(report.dependencies[0]).toMatchObject({
      confidence: 'low',
      gaps: [expect.stringMatching(/^package-lock\.json has packages of which no source was read/)],
    });
  });

  test('are not analyzed where only configuration and tests were read, whatever those name', async () => {
    const { usages, readNothing } = await analyzed({
      ...npm('lodash', 'left'),
      'eslint.config.js': 'export default [];\n',
      'test/a.test.js': "import 'left';\n",
    });
    expect(usages).toEqual({ 'npm/lodash@1.0.0': 'not_analyzed', 'npm/left@1.0.0': 'not_analyzed' });
    expect(readNothing).toBe(false);
  });

  test('are not analyzed in an ecosystem whose languages are not read', async () => {
    const { usages, readNothing } = await analyzed({
      'packages.lock.json': JSON.stringify({
        version: 1,
        dependencies: { 'net8.0': { 'Newtonsoft.Json': { type: 'Direct', resolved: '13.0.1' } } },
      }),
      'Program.cs': 'using Newtonsoft.Json;\n',
    });
    expect(usages).toEqual({ 'nuget/Newtonsoft.Json@13.0.1': 'not_analyzed' });
    expect(readNothing).toBe(true);
  });

  test('are those of the lock file alone that has no source, not those of its neighbour', async () => {
    const { usages, report } = await analyzed({
      ...inFolder('api', { ...npm('express', 'left'), 'index.js': "require('express');\n" }),
      ...inFolder('worker', npm('bull', 'express-session')),
    });
    expect(usages).toEqual({
      'npm/express@1.0.0': 'reached',
      'npm/left@1.0.0': 'unused',
      'npm/bull@1.0.0': 'not_analyzed',
      'npm/express-session@1.0.0': 'not_analyzed',
    });
    expect(report.ecosystems).toMatchObject([{ ecosystem: 'npm', packages: 4, judged: 2, evidence: ['source'] }]);
  });

  test('are judged by source beside their folder that uses packages of their lock file', async () => {
    const { usages } = await analyzed({
      'docker/requirements.txt': 'flask==3.0.0\nredis==5.0.0\n',
      'src/main.py': 'import flask\n\nflask.Flask("a")\n',
    });
    expect(usages).toEqual({ 'pypi/flask@3.0.0': 'reached', 'pypi/redis@5.0.0': 'transitive' });
  });

  test('are unused in a workspace that does not use them', async () => {
    const files = {
      ...inFolder('api', { ...npm('express'), 'index.js': "require('express');\n" }),
      ...inFolder('web', { ...npm('react'), 'index.js': "require('react');\n" }),
    };
    const { usages, report } = await analyzed(files, 'api');
    expect(usages).toEqual({ 'npm/express@1.0.0': 'reached', 'npm/react@1.0.0': 'unused' });
    expect(report.complete).toBe(true);
  });
});

test('gaps of other workspaces are not those of the one that is analyzed', async () => {
  const big = 'x'.repeat(1024);
  const python = { 'requirements.txt': 'flask==3.0.0\nredis==5.0.0\n', 'main.py': 'import flask\n' };
  const files = {
    ...inFolder('api', python),
    ...inFolder('web', { ...python, 'main.py': `import importlib\nimportlib.import_module(${big})\n` }),
  };
  const whole = await analyzed(files);
  expect(whole.gaps.map(({ kind, file }) => `${kind} ${file}`)).toContain('unknown_dynamic web/main.py');
  const api = await analyzed(files, 'api');
  expect(api.gaps.filter(({ file }) => file.startsWith('web/'))).toEqual([]);
});

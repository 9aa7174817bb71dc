import { describe, expect, test } from 'vitest';
import { analyzeTree } from '../../../src/reach/analysis/analyze-tree.js';
import { folderWith } from '../folder.js';

const base = {
  '.gitignore': 'node_modules\n!/packages/node_modules\n',
  'package.json': JSON.stringify({ main: 'index.js', dependencies: { mqtt: '1', left: '1', old: 'npm:mqtt@0' } }),
  'package-lock.json': JSON.stringify({
    lockfileVersion: 3,
    packages: {
      '': { dependencies: { mqtt: '1', left: '1', old: 'npm:mqtt@0' } },
      'node_modules/mqtt': { version: '1.0.0' },
      'node_modules/left': { version: '1.0.0' },
    },
  }),
  'index.js': '',
};

async function analyzed(files: Readonly<Record<string, string>>) {
  const folder = folderWith({ ...base, ...files });
  const { report, gaps } = await analyzeTree({ folder, entries: [], version: '1.0.0', progress: () => {} });
  const of = (name: string) => report.dependencies.find(({ purl }) => purl.startsWith(`pkg:npm/${name}@`));
  return { report, gaps, of };
}

describe('a package in a folder of modules', () => {
  test('is source where git keeps it and no lock file has it', async () => {
    const { of, report } = await analyzed({
      'packages/node_modules/@acme/broker/package.json': '{"name": "@acme/broker", "main": "lib/index.js"}',
      'packages/node_modules/@acme/broker/lib/index.js': "const mqtt = require('mqtt');\nmqtt.connect();\n",
      'packages/node_modules/plain/index.js': '',
    });
    expect(of('mqtt')?.usage).toMatch(/^(?:reached|imported)$/);
    expect(of('mqtt')?.sites).toMatchObject([{ file: 'packages/node_modules/@acme/broker/lib/index.js', line: 1 }]);
    expect(of('left')).toMatchObject({ usage: 'unused', gaps: [] });
    expect(report.stats.files).toBe(3);
  });

  test.each<[string, Record<string, string>]>([
    ['git ignores it', { 'node_modules/@acme/broker/index.js': "require('mqtt');" }],
    ['a lock file has it', { 'packages/node_modules/left/index.js': "require('mqtt');" }],
    [
      'a package manager made the folder',
      { 'packages/node_modules/.package-lock.json': '{}', 'packages/node_modules/own/index.js': "require('mqtt');" },
    ],
  ])('is none where %s', async (_, files) => {
    const { of, report } = await analyzed(files);
    expect(of('mqtt')).toMatchObject({ usage: 'unused', gaps: [] });
    expect(report.stats.files).toBe(1);
  });

  test('is a gap where there are too many for a project of its own', async () => {
    const many = Array.from({ length: 201 }, (_, index) => [`packages/node_modules/p${index}/index.js`, '']);
    const { of, gaps } = await analyzed(Object.fromEntries(many));
    expect(gaps).toHaveLength(201);
    expect(of('mqtt')).toMatchObject({ usage: 'unused', confidence: 'low' });
  });
});

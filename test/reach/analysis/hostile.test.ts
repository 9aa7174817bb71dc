import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdirSync, openSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type UsageReport, usageReport } from '../../../src/procedures/usage-report.js';
import { folderWith } from '../folder.js';
import { runReach } from '../run-reach.js';

const lock = (names: readonly string[]) =>
  JSON.stringify({
    lockfileVersion: 3,
    packages: {
      '': { dependencies: Object.fromEntries(names.map((name) => [name, '1'])) },
      ...Object.fromEntries(names.map((name) => [`node_modules/${name}`, { version: '1.0.0' }])),
    },
  });

const files = {
  'package.json': '{"main": "index.js"}',
  'package-lock.json': lock(['used', 'canary']),
  'index.js': "require('used');\n",
};

/** Analyses the tree and gives the valid report; a refusal fails the test. */
async function report(folder: string): Promise<UsageReport> {
  const output = join(folderWith({}), 'usage.json');
  const { exitCode, stderr } = await runReach(['analyze', folder, '--output', output]);
  expect(exitCode, stderr).toBe(0);
  return usageReport.parse(JSON.parse(readFileSync(output, 'utf8')));
}

const usages = ({ dependencies }: UsageReport) =>
  Object.fromEntries(dependencies.map(({ purl, usage }) => [purl.slice('pkg:npm/'.length), usage]));

describe('a hostile tree ends with a report', () => {
  test('links in a circle, and out of the tree: nothing outside is read', async () => {
    const outside = folderWith({ 'a.js': "require('canary');\n", 'deep/b.js': "require('canary');\n" });
    const folder = folderWith(files);
    mkdirSync(join(folder, 'src'));
    symlinkSync(folder, join(folder, 'src/circle'));
    symlinkSync('self', join(folder, 'src/self'));
    symlinkSync(outside, join(folder, 'src/outside'));
    symlinkSync(join(outside, 'a.js'), join(folder, 'src/a.js'));
    symlinkSync('/dev/zero', join(folder, 'src/zero.js'));
    writeFileSync(join(folder, 'src/climb.js'), `require('../../${outside.split('/').at(-1)}/a.js');\n`);
    expect(usages(await report(folder))).toEqual({ 'used@1.0.0': 'reached', 'canary@1.0.0': 'unused' });
  });

  test('a file of a gigabyte, a pipe, binary and minified code', async () => {
    const folder = folderWith({
      ...files,
      'binary.js': Buffer.from([0, 159, 146, 150, 0, 1, 2, 255]),
      'bundle.min.js': `!function(){${'var a=require("used");'.repeat(20_000)}}();`,
      'broken.js': 'import { from "canary',
      'deep.js': `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
    });
    const huge = openSync(join(folder, 'huge.js'), 'w');
    ftruncateSync(huge, 1024 ** 3);
    closeSync(huge);
    execFileSync('mkfifo', [join(folder, 'pipe.js')]);
    const found = await report(folder);
    expect(usages(found)['used@1.0.0']).toBe('reached');
    // What could not even be searched may use anything.
    expect(found).toMatchObject({ complete: false, stats: { skipped: 1, searched: 2, parse_errors: 1 } });
    expect(usages(found)['canary@1.0.0']).toBe('mentioned');
  });

  test('a hundred thousand files', async () => {
    const folder = folderWith(files);
    for (let i = 0; i < 200; i++) {
      mkdirSync(join(folder, `d${i}`));
      for (let j = 0; j < 500; j++) writeFileSync(join(folder, `d${i}/f${j}.js`), '');
    }
    const found = await report(folder);
    expect(found.stats.files).toBe(100_001);
    expect(found.complete).toBe(true);
    expect(usages(found)['used@1.0.0']).toBe('reached');
  });

  test('package names with odd characters', async () => {
    const names = [
      '__proto__',
      'constructor',
      'used',
      '@scope/ü',
      'a%2fb',
      '..',
      'a b',
      "it's",
      '\u202egnp.js',
      'a\nb',
    ];
    const folder = folderWith({
      ...files,
      'package-lock.json': lock(names),
      'index.js':
        "require('used'); require('constructor'); require('__proto__'); require('@scope/ü'); require('..');\n",
    });
    const found = usages(await report(folder));
    expect(found).toMatchObject({ 'used@1.0.0': 'reached', 'constructor@1.0.0': 'reached' });
    expect(Object.keys(found).every((purl) => /^[\w%.~'@/-]+$/.test(purl))).toBe(true);
  });

  test('a lock file that says it is what it is not', async () => {
    const folder = folderWith({
      ...files,
      'package-lock.json': `{"lockfileVersion": 3, "packages": ${'['.repeat(100_000)}`,
    });
    const { exitCode, stderr } = await runReach(['analyze', folder]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/package-lock\.json: (?:line 1, column|packages)/);
  });
});

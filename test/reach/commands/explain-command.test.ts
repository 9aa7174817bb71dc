import { describe, expect, test } from 'vitest';
import { usageReport } from '../../../src/procedures/usage-report.js';
import { folderWith } from '../folder.js';
import { runReach } from '../run-reach.js';
import { smallApp as files } from './small-app.js';

describe('reach explain', () => {
  test('shows places, symbols and what brings a package in', async () => {
    const folder = folderWith(files);
    expect(await runReach(['explain', 'lodash', folder])).toMatchObject({
      exitCode: 0,
      stderr: '',
      stdout: expect.stringMatching(
        /^pkg:npm\/lodash@4\.17\.11: reached \(runtime, direct, confidence high\)\n {2}loaded by: index\.js:2\n {2}index\.js:2:\d+ \(prod, require, reached\): merge\n {2}symbols: merge\n$/,
      ),
    });
    const { stdout } = await runReach(['explain', 'pkg:npm/ms@2.0.0', folder]);
    expect(stdout).toContain('path: pkg:npm/mocha@9.0.0 > pkg:npm/ms@2.0.0');
    expect(stdout).toContain('brought in by: pkg:npm/mocha@9.0.0');
    const json = await runReach(['explain', 'ms@2.0.0', folder, '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject([{ purl: 'pkg:npm/ms@2.0.0', usage: 'tooling' }]);
  });

  test('of a package that is not there exits with 1, and names similar ones', async () => {
    const ran = await runReach(['explain', 'lodash.merge', folderWith(files)]);
    expect(ran).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'reach: lodash.merge is in none of package-lock.json\nDid you mean lodash?\n',
    });
    expect((await runReach(['explain', 'lodash@1.0.0', folderWith(files)])).exitCode).toBe(1);
    expect((await runReach(['explain', 'lodash', folderWith({})])).stderr).toContain('has no lock file');
  });
});

test('reach schema prints the JSON Schema of a report', async () => {
  const { exitCode, stdout } = await runReach(['schema']);
  expect(exitCode).toBe(0);
  const schema = JSON.parse(stdout);
  expect(schema).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    additionalProperties: false,
    properties: { schema: { const: 'reach/1' }, dependencies: { maxItems: 100_000 } },
  });
  expect(Object.keys(schema.properties)).toEqual(Object.keys(usageReport.shape));
  // Reports of versions that did not say what they searched stay valid.
  expect(schema.required).toEqual(Object.keys(usageReport.shape).filter((field) => field !== 'ecosystems'));
});

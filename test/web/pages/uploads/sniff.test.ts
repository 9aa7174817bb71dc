import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { namedKinds } from '../../../../src/reach/lockfiles/kinds.js';
import { sniff, topLevel } from '../../../../src/web/pages/uploads/sniff.js';
import { dataFile, hasData } from '../../../support/data.js';

const json = (value: unknown) => JSON.stringify(value);

describe('what a file is', () => {
  test.each([
    ['sarif', json({ version: '2.1.0', runs: [] })],
    ['zap', json({ '@programName': 'ZAP', '@version': 'D', site: [] })],
    ['zap', '<?xml version="1.0"?>\n<OWASPZAPReport version="2.16"><site/></OWASPZAPReport>'],
    ['trivy', json({ SchemaVersion: 2, Results: [] })],
    ['trivy', json({ ClusterName: 'test', Resources: [] })],
    ['grype', json({ matches: [], source: {}, descriptor: { name: 'grype' } })],
    ['cyclonedx', json({ bomFormat: 'CycloneDX', specVersion: '1.6', components: [], vulnerabilities: [] })],
    ['cyclonedx', '<bom xmlns="http://cyclonedx.org/schema/bom/1.4"><components/></bom>'],
    ['vex', json({ bomFormat: 'CycloneDX', specVersion: '1.6', vulnerabilities: [] })],
    ['vex', json({ '@context': 'https://openvex.dev/ns/v0.2.0', statements: [] })],
    ['vex', json({ document: { category: 'csaf_vex' }, product_tree: {}, vulnerabilities: [] })],
    ['spdx', json({ SPDXID: 'SPDXRef-DOCUMENT', spdxVersion: 'SPDX-2.3', packages: [] })],
    ['spdx', json({ '@context': 'https://spdx.org/rdf/3.0.1/spdx-context.jsonld', '@graph': [] })],
    ['usage', json({ schema: 'reach/1', generated_at: '2026-11-22T10:00:00Z' })],
  ])('%s is recognised by its content', (kind, text) => {
    expect(sniff('file', text)).toBe(kind);
  });

  test.each(['requirements-dev.txt', 'pylock.dev.toml', ...namedKinds.map(({ name }) => name)])(
    '%s is a lock file by its name',
    (name) => {
      expect(sniff(name, '{"lockfileVersion": 3}')).toBe('lockfile');
    },
  );

  test.each([
    ['plain text', 'MIT License'],
    ['an empty file', ''],
    ['a list', '[{"runs": []}]'],
    ['other XML', '<html></html>'],
    ['a key that stands deeper', json({ other: { runs: [], matches: [] } })],
    ['a key that stands in a text', json({ text: '"runs": []' })],
  ])('%s is not recognised', (_name, text) => {
    expect(sniff('file', text)).toBeNull();
  });

  test('the first part of a large file is enough', () => {
    const text = json({ bomFormat: 'CycloneDX', components: Array.from({ length: 100 }, () => ({ name: 'a"b' })) });
    expect(sniff('bom.json', text.slice(0, 200))).toBe('cyclonedx');
  });
});

test('keys are read with the texts that they have', () => {
  const text = '{"a": "x", "b": {"c": "y"}, "d": ["e", "f"], "g\\"h": 1, "i": "z"}';
  expect([...topLevel(text)]).toEqual([
    ['a', 'x'],
    ['b', ''],
    ['d', ''],
    ['g\\"h', ''],
    ['i', 'z'],
  ]);
});

describe.skipIf(!hasData)('real files', () => {
  test.each(['sarif', 'zap', 'trivy', 'grype'])('of %s are recognised', (kind) => {
    const folder = dataFile(kind);
    // One of them is of a form before schema 2, which the service does not read.
    const names = readdirSync(folder).filter((name) => name !== 'scb-test-empty-report.json');
    const found = names.map((name) => [name, sniff(name, readFileSync(join(folder, name), 'utf8'))]);
    expect(found).toEqual(found.map(([name]) => [name, kind]));
    expect(found.length).toBeGreaterThan(3);
  });
});

import { describe, expect, test } from 'vitest';
import { usageReport } from '../../../src/procedures/usage-report.js';
import { analyzeTree } from '../../../src/reach/analysis/analyze-tree.js';
import { toAdvisory } from '../../../src/service/matching/advisory.js';
import { osvRecordSchema } from '../../../src/service/matching/osv-record.js';
import { alertEvidence } from '../../../src/service/reachability/alert-evidence.js';
import { usageDependencies } from '../../../src/service/reachability/usage-report-rows.js';
import { machineVerdict } from '../../../src/verdict/machine-verdict.js';
import { folderWith } from '../../reach/folder.js';
import { at } from '../../support/at.js';
import { hasData } from '../../support/data.js';
import { readRecords, type recordFiles } from '../matching/records.js';

type Files = Readonly<Record<string, string>>;

/** The verdict on a package of a tree, by the functions that a real advisory names. */
async function judge(files: Files, source: (typeof recordFiles)[number], id: string, packageName: string) {
  const record = readRecords(source).find((each) => at(each, 'id') === id);
  const named = toAdvisory(osvRecordSchema.parse(record)).packages.find(({ name }) => name === packageName);
  if (named === undefined) throw new Error(`${id} is not about ${packageName}`);
  const folder = folderWith(files);
  const analysis = await analyzeTree({ folder, entries: [], version: '0.1.0', progress: () => {} });
  const report = usageReport.parse(analysis.report);
  const dependencies = usageDependencies(report).filter(({ package_name }) => package_name === packageName);
  expect(dependencies).toHaveLength(1);
  const alert = {
    ecosystem: named.ecosystem,
    package_name: packageName,
    versions: dependencies.map(({ version }) => version),
    severity: 'high',
    cvss_version: null,
    cvss_score: null,
    cvss_vector: null,
    epss: null,
    epss_percentile: null,
    epss_date: null,
    kev_added: null,
  } as const;
  const context = { reportComplete: report.complete, epssModel: null, exposure: 'internet' } as const;
  const evidence = alertEvidence(alert, {
    ...context,
    dependencies,
    vulnerableSymbols: { named: named.symbols, suspected: [] },
  });
  const { usage, confidence, symbols, vulnerableSymbols } = evidence.usage;
  return { usage, confidence, symbols, vulnerableSymbols, score: machineVerdict(evidence).score };
}

describe.skipIf(!hasData)('lodash 4.17.10 and CVE-2018-16487 (defaultsDeep, merge, mergeWith)', () => {
  const lodash = {
    'package.json': '{"name": "app", "main": "index.js", "dependencies": {"lodash": "4.17.10"}}',
    'package-lock.json': JSON.stringify({
      lockfileVersion: 3,
      packages: {
        '': { dependencies: { lodash: '4.17.10' } },
        'node_modules/lodash': { version: '4.17.10' },
      },
    }),
  };
  const of = (files: Files) => judge({ ...lodash, ...files }, 'ghsa-npm', 'GHSA-4xc9-xhrj-v574', 'lodash');

  test('with only _.chunk it is one step lower than with _.merge', async () => {
    const chunk = await of({ 'index.js': "const _ = require('lodash');\nmodule.exports = _.chunk([1], 2);\n" });
    const merge = await of({ 'index.js': "const _ = require('lodash');\nmodule.exports = _.merge({}, {});\n" });
    expect(chunk).toMatchObject({ usage: 'imported', symbols: 'excluded', vulnerableSymbols: [] });
    expect(merge).toMatchObject({ usage: 'called', symbols: 'referenced', vulnerableSymbols: ['lodash.merge'] });
    expect(chunk.score).toBeLessThan(merge.score);
  });

  test.each([
    ['a default import', "import _ from 'lodash';\n_.mergeWith({}, {});\n"],
    ['a named import', "import { defaultsDeep as fill } from 'lodash';\nfill({}, {});\n"],
    ['a namespace', "import * as _ from 'lodash';\n_.merge({}, {});\n"],
    ['a single file', "const merge = require('lodash/merge');\nmerge({}, {});\n"],
    ['a single file of a module', "import merge from 'lodash/merge.js';\nmerge({}, {});\n"],
    ['the functional form', "import { merge } from 'lodash/fp';\nmerge({}, {});\n"],
    ['a re-export', "export { merge } from 'lodash';\n"],
  ])('it is called through %s', async (_, text) => {
    expect(await of({ 'index.js': text })).toMatchObject({
      usage: 'called',
      confidence: 'high',
      symbols: 'referenced',
    });
  });

  test.each([
    ['a wrapped value', "import _ from 'lodash';\n_([1]).chunk().value();\n"],
    ['a chain', "import _ from 'lodash';\n_.chain([1]).chunk().value();\n"],
    ['a computed name', "import _ from 'lodash';\n_[process.argv[2]]({}, {});\n"],
    ['the module passed on', "import _ from 'lodash';\nstart(_);\n"],
    ['everything re-exported', "export * from 'lodash';\n"],
    ['a private file', "const merge = require('lodash/_baseMerge');\nmerge({}, {});\n"],
  ])('it cannot be excluded by %s', async (_, text) => {
    expect(await of({ 'index.js': text })).toMatchObject({
      usage: 'called',
      confidence: 'medium',
      symbols: 'not_excluded',
    });
  });

  test('is excluded by single files of other functions, and by types of its own', async () => {
    const text = "import chunk from 'lodash/chunk';\nimport type { merge } from 'lodash';\nchunk([1], 2);\n";
    expect(
      await of({ 'index.ts': text, 'package.json': lodash['package.json'].replace('index.js', 'index.ts') }),
    ).toMatchObject({
      usage: 'imported',
      symbols: 'excluded',
    });
  });
});

describe.skipIf(!hasData)('golang.org/x/crypto and GO-2021-0356 (ssh.ServerConfig.AddHostKey)', () => {
  const of = (imports: string, body: string) =>
    judge(
      {
        'go.mod':
          'module example.com/app\n\ngo 1.22\n\nrequire golang.org/x/crypto v0.0.0-20210817164053-32db794688a5\n',
        'main.go': `package main\n\nimport "golang.org/x/crypto/${imports}"\n\nfunc main() {\n\t${body}\n}\n`,
      },
      'go-vulndb',
      'GO-2021-0356',
      'golang.org/x/crypto',
    );

  test('is called where the file names the type of the value', async () => {
    const body = 'config := &ssh.ServerConfig{}\n\tconfig.AddHostKey(nil)';
    expect(await of('ssh', body)).toMatchObject({
      usage: 'called',
      symbols: 'referenced',
      vulnerableSymbols: ['golang.org/x/crypto/ssh.ServerConfig.AddHostKey'],
    });
  });

  test('cannot be excluded where its package is imported, and is where only another one is', async () => {
    expect(await of('ssh', 'ssh.Dial("tcp", "a", nil)')).toMatchObject({ usage: 'called', symbols: 'not_excluded' });
    expect(await of('bcrypt', 'bcrypt.Cost(nil)')).toMatchObject({ usage: 'imported', symbols: 'excluded' });
  });
});

describe.skipIf(!hasData)('Rust and Python', () => {
  const smallvec = (body: string) =>
    judge(
      {
        'Cargo.toml': '[package]\nname = "app"\nversion = "0.1.0"\n\n[dependencies]\nsmallvec = "0.6.9"\n',
        'Cargo.lock':
          'version = 3\n\n[[package]]\nname = "app"\nversion = "0.1.0"\ndependencies = ["smallvec"]\n\n' +
          '[[package]]\nname = "smallvec"\nversion = "0.6.9"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\n',
        'src/main.rs': `use smallvec::SmallVec;\n\nfn main() {\n    ${body}\n}\n`,
      },
      'rustsec',
      'RUSTSEC-2019-0009',
      'smallvec',
    );

  test('smallvec::SmallVec::grow is called where its path is named, and never excluded', async () => {
    expect(await smallvec('let mut v: SmallVec<[u8; 4]> = SmallVec::new();\n    v.grow(9);')).toMatchObject({
      usage: 'called',
      symbols: 'referenced',
    });
    expect(await smallvec('take(SmallVec::<[u8; 4]>::new());')).toMatchObject({
      usage: 'called',
      confidence: 'medium',
      symbols: 'not_excluded',
    });
  });

  const django = (text: string) =>
    judge({ 'requirements.txt': 'django==1.8.4\n', 'app.py': text }, 'ghsa-pypi', 'GHSA-vq3h-3q7v-9prw', 'django');

  test('django.utils.http.is_safe_url is called where it is imported; its own framework may call it elsewhere', async () => {
    const call = 'from django.utils.http import is_safe_url\n\nif __name__ == "__main__":\n    is_safe_url("a")\n';
    expect(await django(call)).toMatchObject({ usage: 'called', symbols: 'referenced' });
    const other = 'from django.utils.html import escape\n\nif __name__ == "__main__":\n    escape("a")\n';
    expect(await django(other)).toMatchObject({ usage: 'called', confidence: 'medium', symbols: 'not_excluded' });
  });
});

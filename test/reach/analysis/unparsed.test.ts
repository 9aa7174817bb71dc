import { chmodSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { analyzeTree } from '../../../src/reach/analysis/analyze-tree.js';
import { folderWith } from '../folder.js';

const names = ['direct', 'deep', '@scope/name'];

const base = {
  'package.json': '{"main": "index.js", "dependencies": {"direct": "1", "alias": "npm:@scope/name@1"}}',
  'package-lock.json': JSON.stringify({
    lockfileVersion: 3,
    packages: {
      '': { dependencies: { direct: '1', alias: 'npm:@scope/name@1' } },
      'node_modules/direct': { version: '1.0.0' },
      'node_modules/deep': { version: '1.0.0' },
      'node_modules/alias': { name: '@scope/name', version: '1.0.0' },
    },
  }),
  'index.js': '',
};

async function analyzed(files: Readonly<Record<string, string | Buffer>>, change: (folder: string) => void = () => {}) {
  const folder = folderWith({ ...base, ...files });
  change(folder);
  const { report, faults } = await analyzeTree({
    folder,
    entries: [],
    version: '1.0.0',
    progress: () => {},
  });
  const of = (name: string) =>
    report.dependencies.find(({ purl }) => purl.startsWith(`pkg:npm/${name.replace('@', '%40')}@`));
  return { report, faults, of, used: names.filter((name) => of(name)?.usage !== 'unused') };
}

const jquery = `/*! v3 */!function(e,t){"object"==typeof module?module.exports=t():t(e)}(this,function(){${'var a=1;'.repeat(5000)}});`;

describe('a file that is delivered, not written', () => {
  test('takes nothing from the report: what nothing names is unused', async () => {
    const { report, used, faults } = await analyzed({ 'public/jquery.min.js': jquery });
    expect(report).toMatchObject({ complete: true, stats: { files: 2, searched: 0, skipped: 0 } });
    expect({ used, faults }).toEqual({ used: [], faults: [] });
  });

  test('uses what it imports, and mentions what its strings name', async () => {
    const { of } = await analyzed({ 'public/a.min.js': `${jquery}require("deep");load("direct")` });
    expect(of('deep')).toMatchObject({ usage: 'imported', sites: [{ file: 'public/a.min.js', kind: 'require' }] });
    expect(of('direct')).toMatchObject({ usage: 'mentioned' });
  });
});

describe('a file that is not parsed is searched', () => {
  test.each<[string, string, string | Buffer]>([
    ['with a syntax error', 'a.js', 'import = = 1;\nload("deep")'],
    ['with an import in a form that no pattern knows', 'a.js', 'import = = 1;\nload.from["deep/sub"]'],
    ['that nests too deeply', 'a.js', `import ${'('.repeat(9000)}\n'deep'`],
    ['that is longer than what is parsed', 'a.js', `${'var x = 1;\n'.repeat(250_000)}require("deep")`],
    ['that is binary', 'a.js', Buffer.from('\0\x01\xffrequire("deep")', 'latin1')],
    ['in UTF-16', 'a.js', Buffer.from('\uFEFFrequire("deep")', 'utf16le')],
    ['with a script in a string', 'a.js', 'x = = 1;\neval("require(\\"deep\\")")'],
    ['of a component', 'a.vue', '<script>\nimport = = 1; load(`deep`)\n</script>'],
    ['with loaders', 'a.js', 'import = = 1;\nload("raw-loader!deep/x.txt")'],
  ])('%s', async (_, file, content) => {
    const { report, of, used } = await analyzed({ [file]: content });
    expect(used).toEqual(['deep']);
    expect(report).toMatchObject({ complete: true, stats: { searched: 1, skipped: 0 } });
    expect(of('deep')).toMatchObject({ usage: 'mentioned', evidence: 'mention', sites: [{ file, kind: 'mention' }] });
  });

  test('and the place is that of the name, however far into the file', async () => {
    const before = 'var x = 1;\n'.repeat(250_000);
    const { of } = await analyzed({ 'a.js': `${before}load( "deep")`, 'b.js': `= = ${'x'.repeat(3_000_000)}'direct'` });
    expect(of('deep')?.sites).toMatchObject([{ line: 250_001, column: 8 }]);
    expect(of('direct')?.sites).toMatchObject([{ line: 1, column: 3_000_006 }]);
  });

  test('for the names that manifests give to packages', async () => {
    expect((await analyzed({ 'a.js': 'import = = load("alias")' })).used).toEqual(['@scope/name']);
  });

  test('whose words are no names', async () => {
    const { report, used } = await analyzed({ 'a.js': 'import = = deep; // deep\n"not-deep"; "deeper"; "x deep"' });
    expect(used).toEqual([]);
    expect(report).toMatchObject({ complete: true, stats: { parse_errors: 1, searched: 1 } });
  });

  test('with the role of its file', async () => {
    const { of } = await analyzed({
      'test/a.test.js': 'import = = load("deep")',
      'index.js': 'import = = load("direct")',
    });
    expect(of('deep')).toMatchObject({ usage: 'tooling', counts: { test: 1, prod: 0 } });
    expect(of('direct')).toMatchObject({ usage: 'mentioned', sites: [{ role: 'prod', reached: true }] });
  });

  test('in another dialect than the first that is tried, for its strings', async () => {
    const flow = '// @flow\nimport typeof T from "x";\nfunction f(x: ?{| a: number |}) {}\nuse("direct")';
    const { report, of } = await analyzed({ 'a.js': flow });
    expect(of('direct')).toMatchObject({ usage: 'mentioned' });
    expect(report.stats.parse_errors).toBe(0);
  });

  test('in other languages, for every word', async () => {
    const lock = { 'requirements.txt': 'PyYAML==6.0.2\nredis==5.0.0\n' };
    const { report } = await analyzed({ ...lock, 'a.py': 'def f(:\n  """\nimport yaml.loader\n' });
    // A list of requirements does not say what needs what, and so is not complete.
    expect(report).toMatchObject({ complete: false, stats: { parse_errors: 1, searched: 1 } });
    const usages = Object.fromEntries(
      report.dependencies.map(({ purl, usage, sites }) => [purl, [usage, sites[0]?.line]]),
    );
    expect(usages).toMatchObject({ 'pkg:pypi/pyyaml@6.0.2': ['mentioned', 3] });
    expect(usages['pkg:pypi/redis@5.0.0']?.[0]).not.toBe('mentioned');
  });
});

describe('a file that cannot even be searched', () => {
  test('may use anything', async () => {
    const { report, faults } = await analyzed({ 'a.js': '' }, (folder) => truncateSync(join(folder, 'a.js'), 2 ** 30));
    expect(report).toMatchObject({ complete: false, stats: { searched: 0, skipped: 1 } });
    for (const { usage, confidence, gaps } of report.dependencies) {
      expect({ usage, confidence, gaps }).toEqual({
        usage: 'unused',
        confidence: 'low',
        gaps: ['a.js could not be read or searched (too large to be searched, or gone)'],
      });
    }
    expect(faults).toEqual([expect.stringMatching(/^1 file could not be read or searched \(too large/)]);
  });

  test.skipIf(process.getuid?.() === 0)('nor opened, too', async () => {
    const { report } = await analyzed({ 'a.js': '' }, (folder) => chmodSync(join(folder, 'a.js'), 0));
    expect(report).toMatchObject({ complete: false, stats: { skipped: 1 } });
  });

  test('hides nothing where its language has no packages', async () => {
    const { report } = await analyzed({ 'a.py': '' }, (folder) => truncateSync(join(folder, 'a.py'), 2 ** 30));
    expect(report).toMatchObject({ complete: true, stats: { skipped: 1 } });
  });
});

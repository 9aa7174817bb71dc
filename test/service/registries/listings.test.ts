import { describe, expect, test } from 'vitest';
import { registries } from '../../../src/service/registries/registry.js';
import type { Ecosystem } from '../../../src/shared/packages/ecosystem.js';

const read = (ecosystem: Ecosystem, document: unknown) =>
  registries[ecosystem].list('a/b').read(typeof document === 'string' ? document : JSON.stringify(document));
const factsOf = (ecosystem: Ecosystem, document: unknown) =>
  Object.fromEntries(read(ecosystem, document).releases ?? []);
const known = (dependencies: Record<string, string> | null, more = {}) => ({
  dependencies,
  deprecated: false,
  node: null,
  ...more,
});
const unknown = known(null);

describe('npm', () => {
  const versions = (manifests: Record<string, unknown>, more = {}) => ({ versions: manifests, ...more });
  const one = (manifest: unknown) => factsOf('npm', versions({ '1.0.0': manifest }))['1.0.0'];

  test('a release needs its dependencies and its optional ones, not peers and those of its development', () => {
    const manifest = {
      dependencies: { a: '^1.0.0', both: '^1.0.0' },
      optionalDependencies: { b: '~2.0.0', both: '^2.0.0' },
      peerDependencies: { c: '3' },
      devDependencies: { d: '4' },
    };
    expect(one(manifest)).toEqual(known({ a: '^1.0.0', b: '~2.0.0', both: '^2.0.0' }));
    expect(one({})).toEqual(known({}));
  });

  test('an alias stands for the package that it names', () => {
    const aliases = { a: 'npm:real@^1.0.0', b: 'npm:@scope/real@2', c: 'npm:bare', d: 'npm:@scope/bare' };
    const ranges = { real: '^1.0.0', '@scope/real': '2', bare: '*', '@scope/bare': '*' };
    expect(one({ dependencies: aliases })).toEqual(known(ranges));
  });

  test('what is asked for by several ranges has each on a line', () => {
    expect(one({ dependencies: { 'a-old': 'npm:a@1', a: '2' } })).toEqual(known({ a: '1\n2' }));
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, nth) => [`a-${nth}`, `npm:a@${nth}`]));
    expect(one({ dependencies: many })).toEqual(unknown);
    expect(one({ dependencies: { 'a-same': 'npm:a@2', a: '2' } })).toEqual(known({ a: '2' }));
  });

  test('it is deprecated until the notice is taken back, and says which Node it needs', () => {
    const deprecations = ['use another', '', true, false, undefined].map((deprecated) => ({ deprecated }));
    expect(deprecations.map((manifest) => one(manifest)?.deprecated)).toEqual([true, false, true, false, false]);
    expect(one({ engines: { node: '>= 18' } })).toEqual(known({}, { node: '>= 18' }));
    for (const engines of [['node >= 0.4'], '>= 18', { node: 18 }, null]) expect(one({ engines })).toEqual(known({}));
  });

  test.each([
    ['no object', 7],
    ['dependencies that are a list', { dependencies: ['a'] }],
    ['a range that is no text', { dependencies: { a: { version: '1' } } }],
    ['a range with a NUL', { dependencies: { a: '1\0' } }],
    ['half of a character', { dependencies: { '\ud800': '1' } }],
    ['a name without an end', { dependencies: { ['a'.repeat(1_001)]: '1' } }],
    [
      'over 1,000 dependencies',
      { dependencies: Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`a${n}`, '1'])) },
    ],
  ])('%s: that release was published, and what it needs is not known', (_, manifest) => {
    const document = versions({ '1.0.0': manifest, '1.1.0': { dependencies: { a: '1' } } });
    expect(read('npm', document).versions).toEqual(['1.1.0', '1.0.0']);
    expect(factsOf('npm', document)).toEqual({ '1.0.0': unknown, '1.1.0': known({ a: '1' }) });
  });

  test('a version that no database holds is left out', () => {
    const odd = ['1.0.0\0', '', '1'.repeat(257), '\udc00'];
    const manifests = Object.fromEntries([...odd, '1.0.0'].map((version) => [version, {}]));
    expect(read('npm', versions(manifests)).versions).toEqual(['1.0.0']);
  });

  test('the newest release is first, pre-releases after all releases', () => {
    const given = ['1.0.0', '2.0.0-rc.1', '10.0.0', '2.0.0', 'nonsense', '2.0.0-rc.2'];
    const document = versions(Object.fromEntries(given.map((version) => [version, {}])));
    const sorted = ['10.0.0', '2.0.0', '1.0.0', '2.0.0-rc.2', '2.0.0-rc.1', 'nonsense'];
    expect(read('npm', document).versions).toEqual(sorted);
  });

  test('the tag latest counts where it names a version that is there', () => {
    const tagged = (tags: unknown) => read('npm', versions({ '1.0.0': {} }, { 'dist-tags': tags })).latest;
    expect([{ latest: '1.0.0' }, { latest: '9.0.0' }, { latest: 1 }, [], undefined].map(tagged)).toEqual([
      '1.0.0',
      null,
      null,
      null,
      null,
    ]);
  });

  test.each(['hello', '[]', '{"versions":[]}', '{}'])('%s is no list', (text) => {
    expect(() => read('npm', text)).toThrow();
  });
});

describe('crates.io', () => {
  const lines = (...entries: unknown[]) =>
    entries.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join('\n');
  const dep = (name: string, req: string, more = {}) => ({ name, req, kind: 'normal', optional: false, ...more });

  test('a release needs what it is built of, by the crates’ own names, not what its tests need', () => {
    const deps = [
      dep('Serde_json', '^1'),
      dep('cc', '^1.2', { kind: 'build' }),
      dep('json', '^3', { package: 'json-real' }),
      dep('rand', '^0.8', { kind: 'dev' }),
      dep('old', '*', { kind: null }),
    ];
    const index = lines({ vers: '1.0.0', deps, yanked: false }, '');
    expect(factsOf('crates.io', index)).toEqual({
      '1.0.0': known({ 'serde-json': '^1', cc: '^1.2', 'json-real': '^3', old: '*' }),
    });
  });

  test('a yanked version did exist, and is none that can be installed', () => {
    const index = lines({ vers: '1.0.0', deps: [] }, { vers: '1.1.0', deps: [], yanked: true });
    expect(read('crates.io', index)).toMatchObject({ versions: ['1.0.0'], yanked: ['1.1.0'] });
  });

  test('an odd line is left out, and odd dependencies are not known', () => {
    const index = lines(
      '{"vers":',
      { vers: 7 },
      { vers: '1.0.0', deps: 'none' },
      { vers: '1.1.0', deps: [] },
      { vers: '2.0.0' },
    );
    expect(factsOf('crates.io', index)).toEqual({ '1.0.0': unknown, '1.1.0': known({}), '2.0.0': unknown });
    expect(() => read('crates.io', lines('<html>', '</html>'))).toThrow();
    expect(read('crates.io', '').versions).toEqual([]);
  });
});

describe('Packagist', () => {
  const minified = (...releases: unknown[]) => ({ packages: { 'a/b': releases }, minified: 'composer/2.0' });

  test('a release inherits what the one before says, in a minified document alone', () => {
    const releases = [
      { version: '3.0.0', require: { php: '>=8', 'ext-json': '*', 'Psr/Log': '^3' }, abandoned: 'x/y' },
      { version: '2.1.0', require: { 'psr/log': '^2' } },
      { version: '2.0.0', abandoned: '__unset' },
      { version: '1.0.0', require: '__unset' },
      { version: '0.9.0', require: [] },
    ];
    expect(factsOf('Packagist', minified(...releases))).toEqual({
      '3.0.0': known({ 'psr/log': '^3' }, { deprecated: true }),
      '2.1.0': known({ 'psr/log': '^2' }, { deprecated: true }),
      '2.0.0': known({ 'psr/log': '^2' }),
      '1.0.0': known({}),
      '0.9.0': known({}),
    });
    expect(factsOf('Packagist', { packages: { 'a/b': releases.slice(0, 2) } })).toEqual({
      '3.0.0': known({ 'psr/log': '^3' }, { deprecated: true }),
      '2.1.0': known({ 'psr/log': '^2' }),
    });
  });

  test('after an odd release nothing is inherited', () => {
    const list = minified(
      { version: '3.0.0', require: { 'psr/log': '^3' } },
      7,
      { version: '2.0.0' },
      { version: '1.0.0', require: {} },
    );
    expect(factsOf('Packagist', list)).toEqual({
      '3.0.0': known({ 'psr/log': '^3' }),
      '2.0.0': unknown,
      '1.0.0': known({}),
    });
  });

  test('an odd version is left out, and an odd list of needs is not known', () => {
    const list = minified(
      { version: 7, require: { 'psr/log': '^3' } },
      { version: '2.0.0' },
      { version: '1.0.0', require: ['psr/log'] },
    );
    expect(factsOf('Packagist', list)).toEqual({ '2.0.0': known({ 'psr/log': '^3' }), '1.0.0': unknown });
  });

  test('a document that is minified in another way is none that can be read', () => {
    expect(() => read('Packagist', { packages: {}, minified: 'composer/3.0' })).toThrow();
  });
});

describe('PyPI', () => {
  test('a version all of whose files are yanked is yanked', () => {
    const files = [
      { filename: 'my_package-1.0-py3-none-any.whl', yanked: 'broken' },
      { filename: 'my-package-1.0.tar.gz', yanked: true },
      { filename: 'my_package-1.1-py3-none-any.whl', yanked: true },
      { filename: 'my-package-1.1.tar.gz', yanked: false },
      { filename: 'my-package-1.2.exe', yanked: true },
      { filename: 7, yanked: true },
      'odd',
    ];
    const listed = read('PyPI', { versions: ['1.0', '1.1', '1.2'], files });
    expect(listed).toEqual({ versions: ['1.1', '1.2'], yanked: ['1.0'], latest: null, releases: null });
  });
});

test.each<[Ecosystem, string]>([
  ['Go', '1.0.0\n1.1.0\u0000\n'],
  ['RubyGems', '[{"number":"1.0.0"},{"number":"1.1.0\\u0000"}]'],
  ['NuGet', '{"versions":["1.0.0","1.1.0\\u0000"]}'],
])('%s: a version with a NUL is left out', (ecosystem, text) => {
  expect(read(ecosystem, text)).toEqual({ versions: ['1.0.0'], yanked: [], latest: null, releases: null });
});

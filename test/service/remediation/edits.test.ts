import { describe, expect, test } from 'vitest';
import { kinds } from '../../../src/reach/lockfiles/kinds.js';
import { type Asking, hasRule } from '../../../src/service/remediation/edit-rules.js';
import { isLimited, keptBeside, type Place, wayTo, withoutManifest } from '../../../src/service/remediation/edits.js';

const place = (file: string, direct: boolean | null): Place => ({
  ...{ source: `github.com/acme/shop:web/${file}`, ecosystem: 'npm', package_name: 'deep', name: 'deep' },
  ...{ version: '1.2.0', direct, needed: false, bundled_in: null, asked_by: null, tool: null },
});

const to = (version: string, start: string | null = null) => ({ start, to: version });

describe('the way to another version', () => {
  test.each(kinds.flatMap(({ names }) => names))('is known for %s', (name) => {
    expect(hasRule(name)).toBe(!withoutManifest.has(name));
    if (!hasRule(name)) return;
    for (const direct of [true, false]) {
      const way = wayTo(place(name, direct), to('1.4.0'));
      expect(way).toMatchObject({ how: direct ? 'direct' : 'override' });
      if (way.how === 'parent') throw new Error('no edit');
      const [edit, ...others] = way.edits;
      expect(others).toEqual([]);
      expect(edit?.file).toMatch(/^github\.com\/acme\/shop:web\/[\w.*-]+$/);
      expect(edit?.change).toContain('deep');
      expect(edit?.change).toContain('1.4.0');
    }
  });

  test.each([
    [{ name: 'deep": "1", "scripts' }, '1.4.0'],
    [{ version: '1.2.0", "x' }, '1.4.0'],
    [{}, '1.4.0" \n"scripts'],
  ])('is not written with %j and %j, which would end the text around it', (odd, version) => {
    for (const direct of [true, false]) {
      const way = wayTo({ ...place('package-lock.json', direct), ...odd }, to(version));
      expect(way).toEqual({ how: 'unknown', edits: [], certain: false });
    }
  });

  test('of a lock file at the root is beside it', () => {
    const root = { ...place('', true), source: 'shop:package-lock.json' };
    expect(wayTo(root, to('1.4.0'))).toEqual({
      ...{ how: 'direct', certain: true },
      edits: [{ file: 'shop:package.json', change: '"deep": "1.4.0"' }],
    });
  });

  test('of a direct dependency that others need too is also an override where each has its own', () => {
    const file = 'github.com/acme/shop:web/package.json';
    expect(wayTo({ ...place('package-lock.json', true), needed: true }, to('1.4.0'))).toEqual({
      ...{ how: 'direct', certain: true },
      edits: [
        { file, change: '"deep": "1.4.0"' },
        { file, change: 'overrides: "deep@<=1.4.0": "1.4.0"' },
      ],
    });
    expect(wayTo({ ...place('Gemfile.lock', true), needed: true }, to('1.4.0'))).toMatchObject({
      edits: [{ change: 'gem "deep", "1.4.0"' }],
    });
  });

  test.each<[tool: string | null, file: string, field: string, certain: boolean]>([
    ['pnpm@9.15.0', 'package.json', 'pnpm.overrides', true],
    ['pnpm@10.4.1', 'package.json', 'pnpm.overrides', true],
    ['pnpm@10.5.0', 'package.json', 'pnpm.overrides', true],
    ['pnpm@10.6.0', 'pnpm-workspace.yaml', 'overrides', true],
    ['pnpm@11.21.0', 'pnpm-workspace.yaml', 'overrides', true],
    ['pnpm@10.30.3 package.json', 'package.json', 'pnpm.overrides', true],
    ['pnpm@11.21.0 package.json', 'pnpm-workspace.yaml', 'overrides', true],
    ['pnpm', 'pnpm-workspace.yaml', 'overrides', false],
    [null, 'pnpm-workspace.yaml', 'overrides', false],
  ])('of an override of %s is in %s, as %s', (tool, file, field, certain) => {
    expect(wayTo({ ...place('pnpm-lock.yaml', false), tool }, to('1.4.0'))).toEqual({
      ...{ how: 'override', certain },
      edits: [{ file: `github.com/acme/shop:web/${file}`, change: `${field}: "deep@<1.4.0": "1.4.0"` }],
    });
  });

  const askings: readonly Asking[] = [
    { name: 'express', range: '~1.2.0', gets: '1.2.0' },
    { name: 'send', range: '1 || 2', gets: '1.2.0' },
    { name: 'koa', range: '~1.2.0', gets: '1.2.0' },
    { name: '@acme/old', range: '^0.4.0', gets: '0.4.0' },
  ];
  const changesOf = (given: Partial<Place>, known = askings) => {
    const way = wayTo({ ...place('yarn.lock', false), needed: true, ...given }, to('1.4.0', '1.0.0'), known);
    if (way.how === 'parent') throw new Error('no edit');
    expect(way.certain).toBe(true);
    return way.edits.map(({ file, change }) => [file.replace('github.com/acme/shop:web/', ''), change]);
  };

  test.each(['yarn@2.4.2', 'yarn@3', 'yarn@4.18.1'])(
    'of an override of %s has a key for each range that asks for the version',
    (tool) => {
      expect(changesOf({ tool })).toEqual([
        ['package.json', 'resolutions: "deep@~1.2.0": "1.4.0"'],
        ['package.json', 'resolutions: "deep@1 || 2": "1.4.0"'],
      ]);
      expect(isLimited({ ...place('yarn.lock', false), tool }, askings)).toBe(true);
    },
  );

  test('of an override of Yarn 1 has a key for each package that asks for the version', () => {
    expect(changesOf({ tool: 'yarn@1.22.22' })).toEqual([
      ['package.json', 'resolutions: "**/express/deep": "1.4.0"'],
      ['package.json', 'resolutions: "**/send/deep": "1.4.0"'],
      ['package.json', 'resolutions: "**/koa/deep": "1.4.0"'],
    ]);
    expect(isLimited({ ...place('yarn.lock', false), tool: 'yarn@1' }, askings)).toBe(true);
  });

  test.each<[why: string, given: Partial<Place>, known: readonly Asking[]]>([
    ['it is not known who asks', { tool: 'yarn@1.22.22' }, []],
    ['it is not known which Yarn it is', { tool: null }, askings],
    ['a range is not known', { tool: 'yarn@4.5.0' }, [...askings, { name: 'a', range: null, gets: '1.2.0' }]],
    [
      'two versions of a package ask for two versions',
      { tool: 'yarn@1' },
      [...askings, { name: 'koa', range: '3', gets: '3.0.0' }],
    ],
    ['a workspace of Yarn 1 may ask for it', { tool: 'yarn@1', direct: null }, askings],
  ])('of an override of Yarn is for all versions where %s', (_why, given, known) => {
    expect(changesOf(given, known)).toEqual([['package.json', 'resolutions: "deep": "1.4.0"']]);
    expect(isLimited({ ...place('yarn.lock', false), needed: true, ...given }, known)).toBe(false);
  });

  test('of a direct dependency of Yarn that others need too has keys for those', () => {
    expect(changesOf({ tool: 'yarn@4.5.0', direct: true })).toEqual([
      ['package.json', '"deep": "1.4.0"'],
      ['package.json', 'resolutions: "deep@~1.2.0": "1.4.0"'],
      ['package.json', 'resolutions: "deep@1 || 2": "1.4.0"'],
    ]);
    expect(changesOf({ tool: 'yarn@4.5.0', direct: true, needed: false })).toEqual([
      ['package.json', '"deep": "1.4.0"'],
    ]);
  });

  test.each([
    ['bun@1.3.14', 'deep', false],
    ['bun', 'deep', false],
    ['bun@1.4.0', 'deep@>=1.0.0 <1.4.0', true],
    ['bun@2.0.0', 'deep@>=1.0.0 <1.4.0', true],
  ])('of an override of %s has the key %s', (tool, key, limited) => {
    const inBun = { ...place('bun.lock', false), tool };
    expect(wayTo(inBun, to('1.4.0', '1.0.0'))).toMatchObject({
      ...{ how: 'override', certain: true },
      edits: [{ change: `overrides: "${key}": "1.4.0"` }],
    });
    expect(isLimited(inBun, [])).toBe(limited);
  });

  test('of a package of npm of which no source says whether the project asks for it is both', () => {
    expect(wayTo({ ...place('package-lock.json', null), needed: true }, to('1.4.0'))).toMatchObject({
      ...{ how: 'unknown', certain: true },
      edits: [{ change: '"deep": "1.4.0"' }, { change: 'overrides: "deep@<=1.4.0": "1.4.0"' }],
    });
  });

  test('of a direct dependency is in each manifest that asks for it, or in the catalog that they name', () => {
    const asked_by = [
      { file: 'packages/ui/package.json', range: '^1.0.0' },
      { file: 'package.json', range: null },
      { file: 'packages/api/package.json', range: 'catalog:' },
      { file: 'packages/app/package.json', range: 'catalog:next' },
    ];
    const change = '"deep": "1.4.0"';
    expect(wayTo({ ...place('pnpm-lock.yaml', true), asked_by }, to('1.4.0'))).toEqual({
      ...{ how: 'direct', certain: true },
      edits: [
        { file: 'github.com/acme/shop:web/packages/ui/package.json', change },
        { file: 'github.com/acme/shop:web/package.json', change },
        { file: 'github.com/acme/shop:web/pnpm-workspace.yaml', change: `catalog: ${change}` },
        { file: 'github.com/acme/shop:web/pnpm-workspace.yaml', change: `catalogs.next: ${change}` },
      ],
    });
  });

  test('of an alias is none, since its name in the manifest is not known', () => {
    const asked_by = [{ file: 'package.json', range: 'npm:deep@^1.0.0' }];
    expect(wayTo({ ...place('package-lock.json', true), asked_by }, to('1.4.0'))).toEqual({
      ...{ how: 'direct', certain: false, edits: [] },
    });
    expect(keptBeside({ ...place('package-lock.json', true), asked_by }, true)).toBeNull();
  });

  test('of what the project overrides already is that override, which reaches all versions where its key names none', () => {
    const overridden = (override: string, direct = false, range: string | null = '1.2.0'): Place => ({
      ...{ ...place('package-lock.json', direct), needed: true },
      overridden_by: [{ file: 'package.json', range, override }],
    });
    const file = 'github.com/acme/shop:web/package.json';
    expect(wayTo(overridden('overrides: "deep"'), to('1.4.0'))).toEqual({
      ...{ how: 'override', certain: true },
      edits: [{ file, change: 'overrides: "deep": "1.4.0"' }],
    });
    expect(wayTo(overridden('overrides: "deep"', true), to('1.4.0'))).toEqual({
      ...{ how: 'override', certain: true },
      edits: [
        { file, change: '"deep": "1.4.0"' },
        { file, change: 'overrides: "deep": "1.4.0"' },
      ],
    });
    for (const override of ['overrides.web: "deep"', 'overrides: "deep@^1"', 'resolutions: "**/web/deep"']) {
      expect(wayTo(overridden(override), to('1.4.0'))).toMatchObject({ certain: false });
    }
    for (const range of ['npm:@acme/deep@1.2.0', 'patch:deep@npm%3A1.2.0#./deep.patch', 'file:./deep', '$deep']) {
      expect(wayTo(overridden('overrides: "deep"', false, range), to('1.4.0'))).toEqual({
        ...{ how: 'unknown', edits: [], certain: false },
      });
    }
    expect(isLimited(overridden('overrides: "deep"'), [])).toBe(false);
    expect(keptBeside(overridden('overrides: "deep"', true), true)).toBeNull();
  });

  test('is a newer parent where Cargo’s ranges forbid the version', () => {
    expect(wayTo(place('Cargo.lock', false), to('2.0.0'))).toEqual({ how: 'parent' });
    expect(wayTo(place('Cargo.lock', true), to('2.0.0'))).toMatchObject({ how: 'direct' });
    expect(wayTo({ ...place('Cargo.lock', false), version: '0.3.1' }, to('0.4.0'))).toEqual({ how: 'parent' });
    expect(wayTo({ ...place('Cargo.lock', false), version: '0.0.3' }, to('0.0.4'))).toEqual({ how: 'parent' });
    expect(wayTo({ ...place('Cargo.lock', false), version: '0.3.1' }, to('0.3.2'))).toMatchObject({ how: 'override' });
  });

  test('is unknown of what is no lock file, and of a lock file that several tools write', () => {
    expect(wayTo({ ...place('', null), source: 'manual' }, to('1.4.0'))).toEqual({
      how: 'unknown',
      edits: [],
      certain: true,
    });
    expect(wayTo(place('pylock.toml', false), to('1.4.0'))).toEqual({ how: 'override', edits: [], certain: false });
    // An SBOM does not say which packages come in the archives of others, as npm's may.
    const needed = { ...place('', false), source: 'manual', needed: true };
    expect(wayTo(needed, to('1.4.0'))).toMatchObject({ certain: false });
    expect(wayTo({ ...needed, ecosystem: 'PyPI' }, to('1.4.0'))).toMatchObject({ certain: true });
    // A name that every object has.
    expect(wayTo({ ...place('constructor', true) }, to('1.4.0'))).toEqual({ how: 'direct', edits: [], certain: true });
    expect(wayTo(place('package-lock.json', null), to('1.4.0'))).toMatchObject({ how: 'unknown' });
  });
});

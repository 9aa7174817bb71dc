import { describe, expect, test } from 'vitest';
import { assemble } from '../../../src/reach/analysis/assemble.js';
import type { FoundGap } from '../../../src/reach/analysis/found-gap.js';
import type { TreeLockfile } from '../../../src/reach/analysis/tree-lockfiles.js';
import type { PackageUse } from '../../../src/reach/languages/language-reader.js';
import { gap, lockfile, use } from './locked.js';

const direct = { direct: true };

/** The packages whose search is not complete, by name. */
function hidden(lockfiles: readonly TreeLockfile[], gaps: readonly FoundGap[], uses: readonly PackageUse[] = []) {
  const { dependencies } = assemble(lockfiles, uses, { gaps });
  return dependencies.filter((each) => each.gaps?.length !== 0).map(({ purl }) => purl.replace(/^pkg:[^/]+\//, ''));
}

describe('a gap', () => {
  const root = lockfile({ 'a@1.0.0': { ...direct, needs: ['b@1.0.0'] }, 'b@1.0.0': {}, 'c@1.0.0': direct });
  const web = lockfile({ 'a@2.0.0': direct, 'd@1.0.0': direct }, { path: 'web/package-lock.json', folder: 'web' });

  test('hides the named package and what it brings in', () => {
    expect(hidden([root], [{ ...gap, hides: ['a'] }])).toEqual(['a@1.0.0', 'b@1.0.0']);
    expect(hidden([root], [{ ...gap, hides: ['c', 'unknown'] }])).toEqual(['c@1.0.0']);
    expect(hidden([root], [{ ...gap, hides: [] }])).toEqual([]);
  });

  test('says why, with its place, and lowers the confidence', () => {
    const { dependencies, gaps } = assemble([root], [use('c', { role: 'test' })], { gaps: [gap] });
    const why = ['src/a.ts:12 imports what only a run can say (require(…))'];
    expect(dependencies).toMatchObject([
      { usage: 'unused', confidence: 'low', gaps: why },
      { usage: 'unused', confidence: 'low', gaps: why },
      { usage: 'tooling', confidence: 'low', gaps: why },
    ]);
    expect(gaps).toEqual([{ ...gap, hidden: 3 }]);
  });

  test('hides nothing of what is seen to be used', () => {
    expect(hidden([root], [gap], [use('a'), use('c', { kind: 'mention' })])).toEqual([]);
  });

  test('is one of its own ecosystem and of the lock files that an import there could mean', () => {
    expect(hidden([root, web], [gap])).toEqual(['a@1.0.0', 'b@1.0.0', 'c@1.0.0', 'd@1.0.0']);
    expect(hidden([root, web], [{ ...gap, file: 'web/src/a.ts' }])).toEqual([
      'a@2.0.0',
      'b@1.0.0',
      'c@1.0.0',
      'd@1.0.0',
    ]);
    expect(hidden([root, web], [{ ...gap, ecosystem: 'PyPI' }])).toEqual([]);
    const api = lockfile({ 'e@1.0.0': direct }, { path: 'api/package-lock.json', folder: 'api' });
    expect(hidden([web, api], [{ ...gap, file: 'api/a.ts', hides: ['e'] }])).toEqual(['e@1.0.0']);
  });

  test('gives at most five reasons, each once', () => {
    const many = Array.from({ length: 20 }, (_, line) => ({ ...gap, line: line + 1 }));
    const { dependencies, gaps } = assemble([root], [], { gaps: many });
    for (const { gaps: reasons } of dependencies) expect(new Set(reasons).size).toBe(5);
    expect(gaps).toHaveLength(20);
  });

  test('has a reason of 256 characters however long its path and detail are', () => {
    const long = { ...gap, file: `${'deep/'.repeat(200)}a.ts`, detail: '\u0007x'.repeat(128), hides: ['a'] };
    const [a] = assemble([root], [], { gaps: [long] }).dependencies;
    expect(a?.gaps?.[0]).toMatch(/^.{1,256}$/);
    expect(a?.gaps?.[0]).toContain('a.ts:12 imports what');
  });
});

describe('what is installed for development alone', () => {
  const lock = lockfile({
    'runner@1.0.0': { ...direct, scope: 'development', needs: ['deep@1.0.0'] },
    'deep@1.0.0': { scope: 'development' },
    'bundled@1.0.0': { ...direct, scope: 'development' },
    'library@1.0.0': direct,
  });

  test.each(['unknown_dynamic', 'unresolved_import'] as const)('is not hidden by a place of kind %s', (kind) => {
    expect(hidden([lock], [{ ...gap, kind }])).toEqual(['library@1.0.0']);
  });

  test('but it is where production uses such a package already: they are bundled', () => {
    expect(hidden([lock], [gap], [use('bundled')])).toEqual(['deep@1.0.0', 'library@1.0.0', 'runner@1.0.0']);
    expect(hidden([lock], [gap], [use('bundled', { role: 'test' })])).toEqual(['library@1.0.0']);
  });

  test('and where a file was not read, or the place names it', () => {
    expect(hidden([lock], [{ ...gap, kind: 'unread_file' }])).toHaveLength(4);
    expect(hidden([lock], [{ ...gap, hides: ['runner'] }])).toEqual(['deep@1.0.0', 'runner@1.0.0']);
  });
});

test('in a lock file without edges, what may be used may bring in any other', () => {
  const pip = { ecosystem: 'PyPI', direct: true } as const;
  const lock = lockfile({ 'a@1.0.0': pip, 'b@1.0.0': pip, 'dev@1.0.0': { ...pip, scope: 'development' } });
  expect(hidden([lock], [{ ...gap, ecosystem: 'PyPI', hides: ['a'] }])).toEqual(['a@1.0.0', 'b@1.0.0']);
});

test('ten thousand gaps in a thousand folders of a large tree are joined in bounded work', () => {
  const names = Array.from({ length: 3000 }, (_, index) => `p${index}`);
  const lock = lockfile(
    Object.fromEntries(
      names.map((name, index) => [
        `${name}@1.0.0`,
        { ...direct, needs: index % 10 === 0 ? [`p${(index + 10) % 3000}@1.0.0`] : [] },
      ]),
    ),
  );
  const gaps = Array.from({ length: 10_000 }, (_, index) => ({ ...gap, file: `src/f${index % 1000}/a${index}.ts` }));
  const named = names.map((name) => ({ ...gap, hides: [name] }));
  expect(hidden([lock], [...gaps, ...named])).toHaveLength(3000);
});

describe('in a lock file without edges, what is for development alone', () => {
  const scoped = (kind: string, ecosystem: 'Maven' | 'PyPI') => {
    const group = ecosystem === 'Maven' ? 'acme:' : '';
    const development = { ...direct, ecosystem, scope: 'development' } as const;
    return lockfile(
      {
        [`${group}a@1.0.0`]: { ...direct, ecosystem },
        [`${group}b@1.0.0`]: { ...direct, ecosystem },
        [`${group}tool@1.0.0`]: development,
        [`${group}other@1.0.0`]: development,
      },
      { path: kind, kind },
    );
  };
  const usages = (kind: string, ecosystem: 'Maven' | 'PyPI', gaps: readonly FoundGap[]) => {
    const name = ecosystem === 'Maven' ? 'acme:tool' : 'tool';
    const uses = [{ ...use(name, { reached: false }), ecosystem }];
    const { dependencies } = assemble([scoped(kind, ecosystem)], uses, { gaps });
    return Object.fromEntries(dependencies.map(({ purl, usage }) => [/(\w+)@/.exec(purl)?.[1], usage]));
  };

  test('is not brought in by a test’s package of Maven, whose scope is on no other class path', () => {
    expect(usages('pom.xml', 'Maven', [])).toMatchObject({ tool: 'imported', other: 'tooling' });
  });

  test('may be brought in elsewhere, where production uses such a package', () => {
    expect(usages('requirements.txt', 'PyPI', [])).toMatchObject({ tool: 'imported', other: 'transitive' });
  });

  test('is not hidden by a gap of a package beside it', () => {
    const named: FoundGap = { ...gap, ecosystem: 'PyPI', hides: ['tool'] };
    const { dependencies } = assemble([scoped('requirements.txt', 'PyPI')], [], { gaps: [named] });
    expect(dependencies.filter(({ gaps }) => gaps?.length !== 0).map(({ purl }) => purl)).toEqual([
      'pkg:pypi/a@1.0.0',
      'pkg:pypi/b@1.0.0',
      'pkg:pypi/tool@1.0.0',
    ]);
  });
});

test('an import of Python that no package answers to is one of production where there is one', () => {
  const unowned: FoundGap = { ...gap, kind: 'unowned_import', ecosystem: 'PyPI' };
  const python = (scope: 'runtime' | 'development') =>
    lockfile(
      {
        'a@1.0.0': { ...direct, ecosystem: 'PyPI', scope, needs: [] },
        'linked@1.0.0': { ecosystem: 'PyPI', needs: ['leaf@1.0.0'] },
        'leaf@1.0.0': { ecosystem: 'PyPI' },
        'tool@1.0.0': { ...direct, ecosystem: 'PyPI', scope: 'development' },
      },
      { path: 'uv.lock', kind: 'uv.lock' },
    );
  expect(hidden([python('runtime')], [{ ...unowned, hides: ['a', 'tool'] }])).toEqual(['a@1.0.0']);
  expect(hidden([python('development')], [{ ...unowned, hides: ['a', 'tool'] }])).toEqual(['a@1.0.0', 'tool@1.0.0']);
  expect(hidden([python('runtime')], [{ ...unowned, hides: ['tool'] }])).toEqual(['tool@1.0.0']);
});

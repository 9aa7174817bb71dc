import { describe, expect, test } from 'vitest';
import { byKey, found, readFrom } from '../reading.js';

describe('go.mod', () => {
  const mod = (go: string) => `module example.com/app // the app

go ${go}
toolchain go1.22.1
require github.com/a/one v1.2.3
require (
\tgithub.com/b/two/v2 v2.0.0-20240101000000-abcdefabcdef // indirect
\t"github.com/c/three" v0.1.0+incompatible // indirect; pinned
\tgithub.com/d/four v1.0.0
)
replace github.com/c/three => ../three
replace (
\tgithub.com/d/four v1.0.0 => github.com/e/five v1.5.0
)
exclude github.com/a/one v1.2.2
`;
  const sums =
    'github.com/a/one v1.2.3 h1:x\ngithub.com/f/six v1.0.0 h1:x\ngithub.com/f/six v1.1.0 h1:x\ngithub.com/g/seven v1.0.0/go.mod h1:x\n';

  test('names the modules of a build, with what replaces them', async () => {
    const read = await readFrom({ 'go.mod': mod('1.21'), 'go.sum': sums });
    expect(byKey(read)).toEqual({
      'github.com/a/one': { name: 'github.com/a/one', ...found('v1.2.3', 'runtime', true) },
      'github.com/b/two/v2': {
        name: 'github.com/b/two/v2',
        ...found('v2.0.0-20240101000000-abcdefabcdef', 'runtime', false),
      },
      'github.com/d/four': { name: 'github.com/e/five', ...found('v1.5.0', 'runtime', true) },
      stdlib: { name: 'stdlib', ...found('1.22.1', 'runtime', true) },
      toolchain: { name: 'toolchain', ...found('1.22.1', 'development', true) },
    });
    expect(read.skipped).toEqual([{ reason: 'comes from a folder', count: 1 }]);
    expect(read.unread).toMatchObject([
      { ecosystem: 'Go', name: 'github.com/c/three', reason: 'path', stated: '../three', at: 'line 8' },
      { name: 'github.com/d/four', reason: 'replaced', stated: 'github.com/e/five v1.5.0' },
    ]);
  });

  test.each([
    ['go 1.26.0', '1.26.0'],
    ['go 1.21', '1.21.0'],
    ['go 1.24rc1', '1.24.0-rc.1'],
    ['go 1.22.0\ntoolchain go1.23beta2', '1.23.0-beta.2'],
    ['go 1.22.0\ntoolchain go1.26.1', '1.26.1'],
    ['go 1.22.0\ntoolchain default', '1.22.0'],
    ['go 1.22.0\ntoolchain go1.25.3-custom', '1.25.3'],
  ])('%s builds with the standard library of %s', async (lines, version) => {
    const read = byKey(await readFrom({ 'go.mod': `module a\n${lines}\n` }));
    expect([read['stdlib']?.version, read['toolchain']?.version]).toEqual([version, version]);
  });

  test('another version of the same module replaces nothing', async () => {
    const text = 'module a\ngo 1.26.0\nrequire b.org/c v1.0.0\nreplace b.org/c => b.org/c v1.0.1\n';
    const read = await readFrom({ 'go.mod': text });
    expect([byKey(read)['b.org/c']?.version, read.unread]).toEqual(['v1.0.1', []]);
  });

  test('what the go.work of its repository replaces is unread', async () => {
    const modules = 'go 1.26.0\nrequire (\n  b.org/c v1.0.0\n  b.org/d v1.0.0\n  b.org/e v1.0.0\n)\n';
    const work =
      'go 1.26.0\nuse .\nreplace b.org/c => ../c\nreplace (\n\tb.org/d v1.0.0 => b.org/x v1.1.0 // ours\n\tb.org/other => ../o\n)\n';
    const { unread } = await readFrom({ 'go.mod': `module a\n${modules}`, 'go.work': work });
    expect(unread).toMatchObject([
      { name: 'b.org/c', reason: 'replaced', stated: '../c', at: 'go.work' },
      { name: 'b.org/d', reason: 'replaced', stated: 'b.org/x v1.1.0', at: 'go.work' },
    ]);
  });

  test('before Go 1.17, and without go.sum, it lists direct modules alone', async () => {
    const reasons = async (files: Record<string, string>) => (await readFrom(files)).unread.map(({ reason }) => reason);
    expect(await reasons({ 'go.mod': mod('1.16') })).toContain('direct_only');
    expect(await reasons({ 'go.mod': mod('1.16'), 'go.sum': sums })).not.toContain('direct_only');
    expect(await reasons({ 'go.mod': mod('1.21') })).not.toContain('direct_only');
  });

  test('before Go 1.17 go.sum completes it', async () => {
    expect(byKey(await readFrom({ 'go.mod': mod('1.16'), 'go.sum': sums }))['github.com/f/six']).toMatchObject({
      version: 'v1.1.0',
      direct: false,
    });
  });

  test('what is no go.mod is told with its line', async () => {
    await expect(readFrom({ 'go.mod': 'module a\nrequire github.com/a/one\n' })).rejects.toThrow(
      'line 2: expected a module and its version',
    );
    await expect(readFrom({ 'go.mod': 'go 1.21\n' })).rejects.toThrow('expected a line `module PATH`');
  });
});

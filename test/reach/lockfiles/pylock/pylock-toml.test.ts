import { describe, expect, test } from 'vitest';
import { scopeOfMarker } from '../../../../src/reach/lockfiles/pylock/marker.js';
import { asksIn, byKey, found, readFrom, scopes } from '../reading.js';

describe('pylock.toml', () => {
  const lock = `
lock-version = '1.0'
created-by = 'pdm'
extras = ['async']
dependency-groups = ['default', 'dev']
default-groups = ['default']

[[packages]]
name = 'flask'
version = '3.0.0'
marker = "'default' in dependency_groups or 'dev' in dependency_groups"
dependencies = [{ name = 'Werkzeug', version = '3.0.1' }]
[[packages.wheels]]
name = 'flask-3.0.0-py3-none-any.whl'
hashes = { sha256 = 'a' }

[[packages]]
name = 'werkzeug'
version = '3.0.1'
index = 'https://example.org/simple'

[[packages]]
name = 'asgiref'
version = '3.7.2'
marker = "python_version < '3.13' and 'async' in extras"

[[packages]]
name = 'pytest'
version = '8.0.0'
marker = '"dev" in dependency_groups'

[[packages]]
name = 'app'
directory = { path = '.', editable = true }

[[packages]]
name = 'forked'
vcs = { type = 'git', url = 'https://token@example.org/x', commit-id = 'a' }

[[packages]]
name = 'archived'
version = '1.0'
archive = { url = 'https://example.org/archived-1.0.tar.gz', hashes = { sha256 = 'a' } }
`;

  test('is read with scopes by its markers; pyproject.toml shows what is direct', async () => {
    const read = await readFrom({
      'pylock.toml': lock,
      'pyproject.toml': '[project]\ndependencies = ["Flask>=3"]\n[dependency-groups]\ndev = ["pytest"]\n',
    });
    expect(asksIn(read)).toEqual(['pyproject.toml -> flask@3.0.0: >=3', 'pyproject.toml -> pytest@8.0.0: *']);
    expect(byKey(read)).toEqual({
      'flask@3.0.0': { name: 'flask', ...found('3.0.0', 'runtime', true, ['werkzeug@3.0.1']), peers: ['asgiref'] },
      'werkzeug@3.0.1': { name: 'werkzeug', ...found('3.0.1', 'runtime', false) },
      'asgiref@3.7.2': { name: 'asgiref', ...found('3.7.2', 'optional', false) },
      'pytest@8.0.0': { name: 'pytest', ...found('8.0.0', 'development', true) },
    });
    expect(read.skipped).toEqual([
      { reason: 'is a folder of the project', count: 1 },
      { reason: 'comes from Git', count: 1 },
      { reason: 'comes from a URL', count: 1 },
    ]);
    expect(read).toMatchObject({ kind: 'pylock.toml', ecosystem: 'PyPI' });
  });

  test('of several versions takes all, and of one version in several entries the scope closest to production', async () => {
    const entry = (version: string, marker: string) =>
      `[[packages]]\nname = 'numpy'\nversion = '${version}'\nmarker = "${marker}"\n`;
    const read = await readFrom({
      'pylock.toml': `lock-version = '1.0'\n${entry('1.0', "'dev' in dependency_groups")}${entry('1.0', "os_name == 'nt'")}${entry('2.0', "'dev' in dependency_groups")}`,
    });
    expect(scopes(read)).toEqual({ 'numpy@1.0': 'runtime', 'numpy@2.0': 'development' });
    expect(read.packages.every(({ direct }) => direct === null)).toBe(true);
  });

  test('pylock.NAME.toml is one too, for development where its name says so', async () => {
    const packages = "lock-version = '1.0'\n[[packages]]\nname = 'a'\nversion = '1.0'\n";
    expect(scopes(await readFrom({ 'pylock.dev.toml': packages }))).toEqual({ 'a@1.0': 'development' });
    expect(scopes(await readFrom({ 'pylock.lambda.toml': packages }))).toEqual({ 'a@1.0': 'runtime' });
    await expect(readFrom({ 'pylock.a.b.toml': packages })).rejects.toThrow('is not a lock file known here');
  });

  test('of another version is refused', async () => {
    await expect(readFrom({ 'pylock.toml': "lock-version = '2.0'\npackages = []" })).rejects.toThrow(
      'pylock.toml: lock-version: is 2.0; expected 1.0',
    );
  });
});

test.each<[string, string]>([
  ['', 'runtime'],
  ["'dev' not in dependency_groups", 'runtime'],
  ["'a' in extras and 'dev' in dependency_groups", 'development'],
  ["('a' in extras or 'dev' in dependency_groups) and sys_platform == 'linux'", 'optional'],
  ["'a' in extras or python_version >= '3.9'", 'runtime'],
  ["'x' not in extras and ('main' in dependency_groups)", 'runtime'],
  // Not a marker: nothing is rated too low for that.
  ["'dev' in", 'runtime'],
  ["'dev' in dependency_groups garbage", 'runtime'],
  ["'dev' in dependency_groups §", 'runtime'],
  ["('dev' in dependency_groups", 'runtime'],
  [`${'('.repeat(5000)}'dev' in dependency_groups`, 'runtime'],
  [`'dev' in dependency_groups${' '.repeat(20_000)}`, 'runtime'],
])('the marker %s means %s', (marker, scope) => {
  expect(scopeOfMarker(marker, ['main'])).toBe(scope);
});

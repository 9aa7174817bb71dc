import { describe, expect, test } from 'vitest';
import { asksIn, byKey, found, rangesIn, readFrom, scopes } from '../reading.js';

describe('pdm.lock', () => {
  const lock = (groups: (...names: string[]) => string) => `
[metadata]
groups = ["default", "async", "lint"]
strategy = ["inherit_metadata"]
lock_version = "4.5.0"
content_hash = "sha256:0"

[[metadata.targets]]
requires_python = ">=3.9"

[[package]]
name = "uvicorn"
version = "0.30.0"
${groups('default', 'lint')}
dependencies = ["H11>=0.8", "typing-extensions>=4.0; python_version < \\"3.11\\""]
files = [{file = "uvicorn-0.30.0.tar.gz", hash = "sha256:0"}]

[[package]]
name = "uvicorn"
version = "0.30.0"
extras = ["standard"]
${groups('async')}
dependencies = ["httptools>=0.5", "uvicorn==0.30.0"]

[[package]]
name = "h11"
version = "0.14.0"
${groups('default')}

[[package]]
name = "httptools"
version = "0.6.1"
${groups('async')}

[[package]]
name = "ruff"
version = "0.6.0"
${groups('lint')}

[[package]]
name = "ours"
version = "0.1.0"
editable = true
path = "./ours"
${groups('default')}

[[package]]
name = "theirs"
version = "0.1.0"
git = "https://example.org/theirs.git"
revision = "0"
${groups('default')}
`;
  const withGroups = lock((...names) => `groups = [${names.map((name) => `"${name}"`).join(', ')}]`);
  const pyproject = `[project]
dependencies = ["uvicorn"]
[project.optional-dependencies]
async = ["uvicorn[standard]"]
[tool.pdm.dev-dependencies]
lint = ["ruff"]
`;

  test('its groups and pyproject.toml show scopes and what is direct; entries for extras are the same package', async () => {
    const read = await readFrom({ 'pdm.lock': withGroups, 'pyproject.toml': pyproject });
    expect(byKey(read)).toEqual({
      'uvicorn@0.30.0': {
        name: 'uvicorn',
        ...found('0.30.0', 'runtime', true, ['h11@0.14.0', 'httptools@0.6.1']),
        peers: ['httptools'],
      },
      'h11@0.14.0': { name: 'h11', ...found('0.14.0', 'runtime', false) },
      'httptools@0.6.1': { name: 'httptools', ...found('0.6.1', 'optional', false) },
      'ruff@0.6.0': { name: 'ruff', ...found('0.6.0', 'development', true) },
    });
    expect(read.skipped).toEqual([
      { reason: 'comes from a folder', count: 1 },
      { reason: 'comes from Git', count: 1 },
    ]);
  });

  test('has the ranges of edges, and those that pyproject.toml states', async () => {
    const ranges = [
      ['H11>=0.8', '>=0.8'],
      ['h11[x] (>=0.8, <1) ; python_version < "3.11"', '>=0.8, <1'],
      ['h11', '*'],
      ['h11 @ https://example.org/h11.whl', '?'],
      // One holds for some versions of Python, the other for the rest.
      ['h11>=0.8; a', 'h11>=0.9; b', '?'],
    ];
    for (const stated of ranges) {
      const needed = JSON.stringify(stated.slice(0, -1)).slice(1, -1);
      const text = withGroups.replace('"H11>=0.8"', needed.replaceAll('$', '$$'));
      const read = await readFrom({ 'pdm.lock': text, 'pyproject.toml': pyproject });
      expect(rangesIn(read)).toEqual([
        `uvicorn@0.30.0 -> h11@0.14.0: ${stated.at(-1)}`,
        'uvicorn@0.30.0 -> httptools@0.6.1: >=0.5',
      ]);
      expect(asksIn(read)).toEqual(['pyproject.toml -> uvicorn@0.30.0: *', 'pyproject.toml -> ruff@0.6.0: *']);
    }
    const twice = pyproject.replace('"uvicorn"', '"uvicorn>=0.20", "ruff~=0.5"');
    expect(asksIn(await readFrom({ 'pdm.lock': withGroups, 'pyproject.toml': twice }))).toEqual([
      'pyproject.toml -> uvicorn@0.30.0: ?',
      'pyproject.toml -> ruff@0.6.0: ?',
    ]);
  });

  test('an extra that is named for development has its scope', async () => {
    const scopeWith = async (extra: string) => {
      const project = `[project]\ndependencies = ["uvicorn"]\n[project.optional-dependencies]\n${extra} = ["ruff"]\n`;
      return scopes(await readFrom({ 'pdm.lock': lock(() => ''), 'pyproject.toml': project }))['ruff@0.6.0'];
    };
    expect([await scopeWith('test'), await scopeWith('docs'), await scopeWith('s3')]).toEqual([
      'development',
      'development',
      'optional',
    ]);
  });

  test('without pyproject.toml the names of the groups decide, and what is direct is not known', async () => {
    const read = await readFrom({ 'pdm.lock': withGroups });
    expect(scopes(read)).toEqual({
      'uvicorn@0.30.0': 'runtime',
      'h11@0.14.0': 'runtime',
      'httptools@0.6.1': 'optional',
      'ruff@0.6.0': 'development',
    });
    expect(read.packages.map(({ direct }) => direct)).toEqual([null, null, null, null]);
  });

  test('an old one without groups has its scopes from pyproject.toml alone', async () => {
    const manifest = pyproject.replace('uvicorn[standard]', 'httptools').replace('"uvicorn"', '"h11"');
    const old = lock(() => '');
    expect(scopes(await readFrom({ 'pdm.lock': old, 'pyproject.toml': manifest }))).toEqual({
      'uvicorn@0.30.0': 'runtime',
      'h11@0.14.0': 'runtime',
      'httptools@0.6.1': 'optional',
      'ruff@0.6.0': 'development',
    });
  });

  test('of a newer format is refused', async () => {
    await expect(readFrom({ 'pdm.lock': '[metadata]\nlock_version = "5.0"' })).rejects.toThrow(
      'pdm.lock: metadata.lock_version: is 5.0; expected 4',
    );
  });
});

import { describe, expect, test } from 'vitest';
import { asksIn, byKey, found, rangesIn, readFrom, scopes } from '../reading.js';

describe('poetry.lock', () => {
  const lock = (groups: string) => `
[[package]]
name = "flask"
version = "3.0.0"
optional = false
${groups}
[package.dependencies]
Werkzeug = {version = ">=3", markers = "python_version > '3'"}
asgiref = {version = "*", optional = true}

[package.extras]
async = ["asgiref"]

[[package]]
name = "werkzeug"
version = "3.0.1"
optional = false

[[package]]
name = "asgiref"
version = "3.7.2"
optional = true

[[package]]
name = "pytest"
version = "8.0.0"
optional = false

[[package]]
name = "ours"
version = "0.1.0"
optional = false
[package.source]
type = "directory"
url = "../ours"

[metadata]
lock-version = "2.0"
content-hash = "0"
`;

  test('scope and what is direct come from pyproject.toml', async () => {
    const read = await readFrom({
      'poetry.lock': lock(''),
      'pyproject.toml':
        '[tool.poetry.dependencies]\npython = "^3.11"\nFlask = "^3"\n[tool.poetry.group.test.dependencies]\npytest = "*"\n',
    });
    expect(byKey(read)).toEqual({
      'flask@3.0.0': {
        name: 'flask',
        ...found('3.0.0', 'runtime', true, ['werkzeug@3.0.1', 'asgiref@3.7.2']),
        peers: ['asgiref'],
      },
      'werkzeug@3.0.1': { name: 'werkzeug', ...found('3.0.1', 'runtime', false) },
      'asgiref@3.7.2': { name: 'asgiref', ...found('3.7.2', 'optional', false) },
      'pytest@8.0.0': { name: 'pytest', ...found('8.0.0', 'development', true) },
    });
    expect(read.skipped).toEqual([{ reason: 'is a folder of the project', count: 1 }]);
    expect(read.packages.every(({ ecosystem }) => ecosystem === 'PyPI')).toBe(true);
  });

  test('has the ranges of edges, and those that pyproject.toml states; what differs by platform is not known', async () => {
    const text = lock('').replace(
      'asgiref = {',
      'pytest = [{version = ">=7", markers = "a"}, {version = ">=8", markers = "b"}]\nasgiref = {',
    );
    const pyproject = `[tool.poetry.dependencies]
python = "^3.11"
Flask = "^3"
Werkzeug = {git = "https://example.org/werkzeug"}
[[tool.poetry.dependencies.asgiref]]
version = "^3"
markers = "a"
[[tool.poetry.dependencies.asgiref]]
version = "^2"
markers = "b"
[tool.poetry.group.test.dependencies]
pytest = {version = ">=7,<9"}
`;
    const read = await readFrom({ 'poetry.lock': text, 'pyproject.toml': pyproject });
    expect(rangesIn(read)).toEqual([
      'flask@3.0.0 -> werkzeug@3.0.1: >=3',
      'flask@3.0.0 -> pytest@8.0.0: ?',
      'flask@3.0.0 -> asgiref@3.7.2: *',
    ]);
    expect(asksIn(read)).toEqual([
      'pyproject.toml -> flask@3.0.0: ^3',
      'pyproject.toml -> werkzeug@3.0.1: ?',
      'pyproject.toml -> asgiref@3.7.2: ?',
      'pyproject.toml -> pytest@8.0.0: >=7,<9',
    ]);
  });

  test('groups in the file tell the scope by themselves; so do requirements of PEP 621 and 735', async () => {
    expect(scopes(await readFrom({ 'poetry.lock': lock('groups = ["dev"]') }))).toMatchObject({
      'flask@3.0.0': 'development',
      'asgiref@3.7.2': 'optional',
      'pytest@8.0.0': 'runtime',
    });
    const pyproject =
      '[project]\ndependencies = ["Werkzeug>=3"]\n[dependency-groups]\ndev = ["pytest", {include-group = "x"}]\n';
    expect(scopes(await readFrom({ 'poetry.lock': lock(''), 'pyproject.toml': pyproject }))).toMatchObject({
      'werkzeug@3.0.1': 'runtime',
      'pytest@8.0.0': 'development',
    });
  });
});

import { describe, expect, test } from 'vitest';
import { byKey, found, readFrom, scopes } from '../reading.js';

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

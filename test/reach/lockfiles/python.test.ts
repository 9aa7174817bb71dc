import { describe, expect, test } from 'vitest';
import { byKey, readFrom, scopes } from './reading.js';

const found = (version: string, scope: string, direct: boolean | null, dependencies: readonly string[] = []) => ({
  version,
  scope,
  direct,
  deprecated: null,
  dependencies,
});

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
      'flask@3.0.0': { name: 'flask', ...found('3.0.0', 'runtime', true, ['werkzeug@3.0.1', 'asgiref@3.7.2']) },
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

test('uv.lock tells all by itself', async () => {
  const read = await readFrom({
    'uv.lock': `version = 1
requires-python = ">=3.12"
[[package]]
name = "app"
source = { virtual = "." }
dependencies = [{ name = "uvicorn", extra = ["standard"] }]
[package.optional-dependencies]
db = [{ name = "psycopg", version = "3.2.0", source = { registry = "x" } }]
[package.dev-dependencies]
dev = [{ name = "pytest" }]
[package.metadata]
requires-dist = [{ name = "uvicorn" }]
[[package]]
name = "uvicorn"
version = "0.30.0"
source = { registry = "https://example.org/simple" }
dependencies = [{ name = "h11" }]
[package.optional-dependencies]
standard = [{ name = "httptools" }]
[[package]]
name = "h11"
version = "0.14.0"
source = { registry = "https://example.org/simple" }
[[package]]
name = "httptools"
version = "0.6.1"
source = { registry = "https://example.org/simple" }
[[package]]
name = "psycopg"
version = "3.1.0"
source = { registry = "https://example.org/simple" }
[[package]]
name = "psycopg"
version = "3.2.0"
source = { registry = "https://example.org/simple" }
[[package]]
name = "pytest"
version = "8.0.0"
source = { git = "https://example.org/pytest" }
`,
  });
  expect(byKey(read)).toEqual({
    'uvicorn@0.30.0': { name: 'uvicorn', ...found('0.30.0', 'runtime', true, ['h11@0.14.0']) },
    'h11@0.14.0': { name: 'h11', ...found('0.14.0', 'runtime', false) },
    'httptools@0.6.1': { name: 'httptools', ...found('0.6.1', 'runtime', true) },
    'psycopg@3.1.0': { name: 'psycopg', ...found('3.1.0', 'runtime', false) },
    'psycopg@3.2.0': { name: 'psycopg', ...found('3.2.0', 'optional', true) },
  });
  expect(read.skipped).toEqual([
    { reason: 'is a folder of the project', count: 1 },
    { reason: 'comes from a Git repository', count: 1 },
  ]);
  await expect(readFrom({ 'uv.lock': 'version = 9' })).rejects.toThrow('uv.lock: version: is 9; expected 1');
});

test('Pipfile.lock', async () => {
  const read = await readFrom({
    'Pipfile.lock': {
      _meta: { 'pipfile-spec': 6 },
      default: {
        Flask: { version: '==3.0.0' },
        local: { path: '.', editable: true },
        gitty: { git: 'https://x.example' },
      },
      develop: { flask: { version: '==3.0.0' }, pytest: { version: '==8.0.0' }, odd: {} },
    },
    Pipfile: '[packages]\nflask = "*"\n',
  });
  expect(byKey(read)).toEqual({
    'flask@3.0.0': { name: 'Flask', ...found('3.0.0', 'runtime', true) },
    'pytest@8.0.0': { name: 'pytest', ...found('8.0.0', 'development', false) },
  });
  expect(read.skipped.map(({ count }) => count)).toEqual([1, 1, 1]);
});

describe('requirements.txt', () => {
  test('takes what is pinned, also from files that it includes, and tells what it passes over', async () => {
    const read = await readFrom({
      'requirements.txt': [
        '\uFEFF# requirements',
        '--index-url https://token@example.org/simple',
        'Flask[async] == 3.0.0 ; python_version > "3"  # a note',
        'werkzeug===3.0.1 \\',
        '    --hash=sha256:abc \\',
        '    --hash=sha256:def',
        'requests>=2',
        'bare',
        'wild==1.*',
        'here @ https://example.org/here.whl',
        '-e .',
        'git+https://example.org/x.git',
        '-r more/base.txt',
        '-r ../outside.txt',
      ].join('\r\n'),
      'more/base.txt': '-r ../requirements.txt\n-r base.txt\n-c limits.txt\nattrs==23.1.0',
      'more/limits.txt': 'attrs==1.0',
    });
    expect(byKey(read)).toEqual({
      'flask@3.0.0': { name: 'Flask', ...found('3.0.0', 'runtime', true) },
      'werkzeug@3.0.1': { name: 'werkzeug', ...found('3.0.1', 'runtime', true) },
      'attrs@23.1.0': { name: 'attrs', ...found('23.1.0', 'runtime', true) },
    });
    expect(read.skipped).toEqual([
      { reason: 'is not pinned to one version with ==', count: 3 },
      { reason: 'comes from a URL or a folder, without a version of its ecosystem', count: 3 },
      { reason: 'is an include of a file that is not in the folder', count: 1 },
    ]);
  });

  test('notes of pip-compile tell what is direct, and what depends on what', async () => {
    const read = await readFrom({
      'requirements.txt': [
        'flask==3.0.0',
        '    # via -r requirements.in',
        'click==8.1.7  # via flask',
        'markupsafe==2.1.3 \\',
        '    --hash=sha256:abc',
        '    # via',
        '    #   jinja2',
        '    #   flask',
        'jinja2==3.1.2',
        '    # via flask',
      ].join('\n'),
    });
    expect(byKey(read)).toEqual({
      'flask@3.0.0': {
        name: 'flask',
        ...found('3.0.0', 'runtime', true, ['click@8.1.7', 'markupsafe@2.1.3', 'jinja2@3.1.2']),
      },
      'click@8.1.7': { name: 'click', ...found('8.1.7', 'runtime', false) },
      'markupsafe@2.1.3': { name: 'markupsafe', ...found('2.1.3', 'runtime', false) },
      'jinja2@3.1.2': { name: 'jinja2', ...found('3.1.2', 'runtime', false, ['markupsafe@2.1.3']) },
    });
  });

  test('a line that is no requirement is told', async () => {
    await expect(readFrom({ 'requirements.txt': 'flask==1.0\n<html>' })).rejects.toThrow(
      'line 2: expected a requirement such as `flask==3.0.0`, an option or a comment',
    );
  });
});

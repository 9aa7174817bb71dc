import { expect, test } from 'vitest';
import { asksIn, byKey, found, readFrom } from '../reading.js';

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
    'uvicorn@0.30.0': {
      name: 'uvicorn',
      ...found('0.30.0', 'runtime', true, ['h11@0.14.0', 'httptools@0.6.1']),
      peers: ['httptools'],
    },
    'h11@0.14.0': { name: 'h11', ...found('0.14.0', 'runtime', false) },
    'httptools@0.6.1': { name: 'httptools', ...found('0.6.1', 'runtime', false) },
    'psycopg@3.1.0': { name: 'psycopg', ...found('3.1.0', 'runtime', false) },
    'psycopg@3.2.0': { name: 'psycopg', ...found('3.2.0', 'optional', true) },
  });
  expect(read.skipped).toEqual([
    { reason: 'is a folder of the project', count: 1 },
    { reason: 'comes from Git', count: 1 },
  ]);
  await expect(readFrom({ 'uv.lock': 'version = 9' })).rejects.toThrow('uv.lock: version: is 9; expected 1');
});

test('the packages of an extra belong to the package that has it, with the scope of what asks for it', async () => {
  const entry = (name: string, rest = '') =>
    `[[package]]\nname = "${name}"\nversion = "1.0"\nsource = { registry = "x" }\n${rest}`;
  const read = await readFrom({
    'uv.lock': `version = 1
[[package]]
name = "app"
source = { editable = "." }
dependencies = [{ name = "celery", extra = ["redis"] }]
[package.dev-dependencies]
dev = [{ name = "tool", extra = ["toml"] }]
prod = [{ name = "gunicorn" }]
${entry('celery', '[package.optional-dependencies]\nredis = [{ name = "kombu", extra = ["redis"] }]\n')}
${entry('kombu', '[package.optional-dependencies]\nredis = [{ name = "redis" }]\n')}
${entry('redis')}
${entry('tool', '[package.optional-dependencies]\ntoml = [{ name = "tomli" }]\n')}
${entry('tomli')}
${entry('gunicorn')}`,
  });
  const fields = read.packages.map(({ name, scope, direct, dependencies, graph }) =>
    [name, scope, direct, graph, ...dependencies].join(' '),
  );
  expect(fields).toEqual([
    'celery runtime true complete kombu@1.0',
    'kombu runtime false complete redis@1.0',
    'redis runtime false complete',
    'tool development true complete tomli@1.0',
    'tomli development false complete',
    // A group named for production is installed there.
    'gunicorn runtime true complete',
  ]);
});

test('the groups of a workspace whose root is no package are for development', async () => {
  const read = await readFrom({
    'uv.lock': `version = 1
[manifest]
members = ["app"]
[manifest.dependency-groups]
dev = [{ name = "tool", specifier = ">=1" }]
[[package]]
name = "app"
source = { editable = "app" }
[[package]]
name = "tool"
version = "1.0"
source = { registry = "x" }
`,
  });
  expect(byKey(read)).toEqual({ 'tool@1.0': { name: 'tool', ...found('1.0', 'development', true) } });
});

test('each project of a workspace asks for what its metadata states', async () => {
  const registry = 'source = { registry = "x" }\n';
  const read = await readFrom({
    'uv.lock': `version = 1
[manifest.dependency-groups]
lint = [{ name = "tool", specifier = ">=1" }]
[[package]]
name = "app"
source = { virtual = "." }
dependencies = [{ name = "flask" }, { name = "own" }, { name = "old" }]
[package.optional-dependencies]
db = [{ name = "driver" }]
[package.metadata]
requires-dist = [
  { name = "flask", specifier = ">=3,<4" }, { name = "own", editable = "packages/own" },
  { name = "driver", marker = "extra == 'db'" }, { name = "driver", specifier = ">=2", marker = "extra == 'x'" },
]
[[package]]
name = "own"
source = { editable = "packages/own" }
dependencies = [{ name = "flask" }]
[package.dev-dependencies]
dev = [{ name = "tool" }]
[package.metadata]
requires-dist = [{ name = "flask" }]
[package.metadata.requires-dev]
dev = [{ name = "tool", specifier = "~=1.0" }]
${['flask', 'driver', 'tool', 'old'].map((name) => `[[package]]\nname = "${name}"\nversion = "3.0"\n${registry}`).join('')}`,
  });
  expect(asksIn(read)).toEqual([
    'pyproject.toml -> flask@3.0: >=3,<4',
    'packages/own/pyproject.toml -> flask@3.0: *',
    // Stated twice, for different extras.
    'pyproject.toml -> driver@3.0: ?',
    'pyproject.toml -> tool@3.0: >=1',
    'packages/own/pyproject.toml -> tool@3.0: ~=1.0',
    'pyproject.toml -> old@3.0: ?',
  ]);
});

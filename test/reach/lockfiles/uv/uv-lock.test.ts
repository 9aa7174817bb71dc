import { expect, test } from 'vitest';
import { byKey, found, readFrom } from '../reading.js';

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

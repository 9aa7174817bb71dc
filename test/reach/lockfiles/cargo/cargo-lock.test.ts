import { expect, test } from 'vitest';
import { asksIn, byKey, found, readFrom } from '../reading.js';

test('Cargo.lock, with the sections of every crate of the workspace', async () => {
  const registry = 'source = "registry+https://example.org/index"';
  const read = await readFrom({
    'Cargo.lock': `version = 3
[[package]]
name = "app"
version = "0.1.0"
dependencies = ["cc", "inner", "rand 0.8.5", "proptest"]
[[package]]
name = "inner"
version = "0.1.0"
dependencies = ["serde", "forked"]
[[package]]
name = "rand"
version = "0.8.5"
${registry}
dependencies = ["libc"]
[[package]]
name = "rand"
version = "0.7.3"
${registry}
[[package]]
name = "proptest"
version = "1.4.0"
${registry}
dependencies = ["rand 0.7.3", "libc"]
[[package]]
name = "libc"
version = "0.2.150"
${registry}
[[package]]
name = "cc"
version = "1.0.0"
${registry}
[[package]]
name = "serde"
version = "1.0.0"
${registry}
[[package]]
name = "forked"
version = "1.0.0"
source = "git+https://example.org/forked#abc"
`,
    'Cargo.toml':
      '[workspace]\nmembers = ["crates/*", "app"]\n[workspace.dependencies]\njson = {package = "serde", version = "1"}\n',
    'app/Cargo.toml':
      '[package]\nname = "app"\n[dependencies]\nr = {package = "rand", version = "0.8"}\n[dev-dependencies]\nproptest = "1"\n[target."cfg(unix)".build-dependencies]\ncc = "1"\n',
    'crates/own-name/Cargo.toml': '[package]\nname = "inner"\n[dependencies]\njson = {workspace = true}\n',
  });
  expect(byKey(read)).toEqual({
    'rand@0.8.5': { name: 'rand', ...found('0.8.5', 'runtime', true, ['libc@0.2.150']) },
    'rand@0.7.3': { name: 'rand', ...found('0.7.3', 'development', false) },
    'proptest@1.4.0': { name: 'proptest', ...found('1.4.0', 'development', true, ['rand@0.7.3', 'libc@0.2.150']) },
    'libc@0.2.150': { name: 'libc', ...found('0.2.150', 'runtime', false) },
    'cc@1.0.0': { name: 'cc', ...found('1.0.0', 'development', true) },
    'serde@1.0.0': { name: 'serde', ...found('1.0.0', 'runtime', true) },
  });
  expect(read.skipped).toEqual([
    { reason: 'is a folder of the project', count: 2 },
    { reason: 'comes from Git', count: 1 },
  ]);
  // A range that a crate inherits is in the manifest of the workspace.
  expect(asksIn(read)).toEqual([
    'app/Cargo.toml -> rand@0.8.5: 0.8',
    'app/Cargo.toml -> proptest@1.4.0: 1',
    'app/Cargo.toml -> cc@1.0.0: 1',
    'Cargo.toml -> serde@1.0.0: 1',
  ]);
});

test('nobody is said to ask for a crate where the manifest of a member is not found', async () => {
  const entry = (name: string, more: string) => `[[package]]\nname = "${name}"\nversion = "1.0.0"\n${more}\n`;
  const files = {
    'Cargo.lock': [
      'version = 3\n',
      entry('app', 'dependencies = ["serde"]'),
      entry('lost', 'dependencies = ["serde"]'),
      entry('serde', 'source = "registry+https://example.org/index"'),
    ].join(''),
    'Cargo.toml': '[package]\nname = "app"\n[workspace]\nmembers = ["crates/*"]\n[dev-dependencies]\nserde = "1"\n',
  };
  const read = await readFrom(files);
  expect(asksIn(read)).toEqual([]);
  expect(byKey(read)).toEqual({ 'serde@1.0.0': { name: 'serde', ...found('1.0.0', 'runtime', true) } });
  const lost = {
    'crates/lost/Cargo.toml': '[package]\nname = "lost"\n[build-dependencies]\nserde = {version = "1.0"}\n',
  };
  const whole = await readFrom({ ...files, ...lost });
  expect(asksIn(whole)).toEqual(['Cargo.toml -> serde@1.0.0: 1', 'crates/lost/Cargo.toml -> serde@1.0.0: 1.0']);
  expect(byKey(whole)).toEqual({ 'serde@1.0.0': { name: 'serde', ...found('1.0.0', 'development', true) } });
});

test('what a crate from Git brings in has hidden dependents', async () => {
  const registry = 'source = "registry+https://example.org/index"';
  const { packages } = await readFrom({
    'Cargo.lock': `version = 3
[[package]]
name = "forked"
version = "1.0.0"
source = "git+https://example.org/forked#abc"
dependencies = ["libc"]
[[package]]
name = "libc"
version = "0.2.150"
${registry}
[[package]]
name = "serde"
version = "1.0.0"
${registry}
`,
  });
  expect(packages.map(({ name, hasHiddenDependents }) => [name, hasHiddenDependents])).toEqual([
    ['libc', true],
    ['serde', undefined],
  ]);
});

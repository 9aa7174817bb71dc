import { describe, expect, test } from 'vitest';
import { byKey, readFrom, scopes } from './reading.js';

const found = (version: string, scope: string, direct: boolean | null, dependencies: readonly string[] = []) => ({
  version,
  scope,
  direct,
  deprecated: null,
  dependencies,
});

describe('bun.lock', () => {
  const lock = `// bun's own
{
  "lockfileVersion": 1,
  "workspaces": {
    "": { "name": "app", "dependencies": { "a": "^1", "w": "workspace:*", }, "devDependencies": { "d": "1", }, },
    "packages/w": { "name": "w", "optionalDependencies": { "o": "1" } },
  },
  "packages": {
    "a": ["a@1.0.0", "", { "dependencies": { "b": "^2" }, "optionalDependencies": { "f": "1" } }, "sha512-a,]"],
    "a/b": ["b@2.0.0", "", {}, "sha512-b"], /* another, than the rest has */
    "b": ["b@1.0.0", "", { "bin": "x" }, "sha512-b"],
    "d": ["d@1.0.0", "", { "dependencies": { "b": "^1" } }, "sha512-d"],
    "f": ["f@1.0.0", "", { "os": "darwin" }, "sha512-f"],
    "o": ["npm-o@1.0.0", "", {}, "sha512-o"],
    "w": ["w@workspace:packages/w"],
  },
}`;

  test('is read with its comments and trailing commas', async () => {
    const read = await readFrom({ 'bun.lock': lock });
    expect(byKey(read)).toEqual({
      a: { name: 'a', ...found('1.0.0', 'runtime', true, ['a/b', 'f']) },
      'a/b': { name: 'b', ...found('2.0.0', 'runtime', false) },
      b: { name: 'b', ...found('1.0.0', 'development', false) },
      d: { name: 'd', ...found('1.0.0', 'development', true, ['b']) },
      f: { name: 'f', ...found('1.0.0', 'optional', false) },
      o: { name: 'npm-o', ...found('1.0.0', 'optional', true) },
    });
    expect(read.skipped).toEqual([{ reason: 'is a folder of the project', count: 1 }]);
  });

  test('a fault keeps its place', async () => {
    await expect(readFrom({ 'bun.lock': lock.replace('"a@1.0.0"', 'a') })).rejects.toThrow(
      'bun.lock: line 9, column 11: is not JSON: expected a value or ]',
    );
    await expect(readFrom({ 'bun.lock': '{"lockfileVersion": 9, "workspaces": {}}' })).rejects.toThrow(
      'expected 0 or 1',
    );
    const comments = '/*'.repeat(500_000);
    await expect(readFrom({ 'bun.lock': comments })).rejects.toThrow('is not JSON');
  });
});

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
    });
    expect(read.skipped).toEqual([{ reason: 'is replaced by a folder', count: 1 }]);
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
    'crates/inner/Cargo.toml': '[dependencies]\njson = {workspace = true}\n',
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
    { reason: 'comes from a Git repository', count: 1 },
  ]);
});

test('Gemfile.lock, with the groups of the Gemfile', async () => {
  const read = await readFrom({
    'Gemfile.lock': `GIT
  remote: https://example.org/x.git
  revision: abc
  specs:
    forked (1.0)

GEM
  remote: https://example.org/
  specs:
    nokogiri (1.16.0-arm64-darwin)
      racc (~> 1.4)
    nokogiri (1.16.0-x86_64-linux)
      racc (~> 1.4)
    racc (1.7.3)
    rspec (3.12.0)
      diff-lcs (>= 1.2)
    diff-lcs (1.5.0)
    pre (2.0.0.rc1)

PLATFORMS
  x86_64-linux

DEPENDENCIES
  forked!
  nokogiri (~> 1.16)
  rspec
  pre

BUNDLED WITH
   2.5.0
`,
    Gemfile: `source 'https://example.org'
gem 'nokogiri', '~> 1.16' # gem 'no'
gem "forked", git: 'x'
group :test do
  if ENV['X']
    gem 'rspec'
  end
end
gem 'pre', groups: [:development, :production]
`,
  });
  expect(byKey(read)).toEqual({
    nokogiri: { name: 'nokogiri', ...found('1.16.0', 'runtime', true, ['racc']) },
    racc: { name: 'racc', ...found('1.7.3', 'runtime', false) },
    rspec: { name: 'rspec', ...found('3.12.0', 'development', true, ['diff-lcs']) },
    'diff-lcs': { name: 'diff-lcs', ...found('1.5.0', 'development', false) },
    pre: { name: 'pre', ...found('2.0.0.rc1', 'runtime', true) },
  });
  expect(read.skipped).toEqual([{ reason: 'comes from a Git repository', count: 1 }]);
});

test('gradle.lockfile: what only tests and annotation processors have is for development', async () => {
  const read = await readFrom({
    'gradle.lockfile':
      '# comment\ncom.a:b:1.0.0=compileClasspath,testCompileClasspath\norg.junit:junit:4.13=testRuntimeClasspath\norg.p:p:1=annotationProcessor\nempty=kapt\n',
  });
  expect(scopes(read)).toEqual({
    'com.a:b@1.0.0': 'runtime',
    'org.junit:junit@4.13': 'development',
    'org.p:p@1': 'development',
  });
  expect(read.packages.every(({ direct }) => direct === null)).toBe(true);
  await expect(readFrom({ 'gradle.lockfile': 'com.a:b=c' })).rejects.toThrow('line 1: expected group:artifact:version');
});

describe('pom.xml', () => {
  const dependency = (name: string, inner: string) =>
    `<dependency><groupId>org.x</groupId><artifactId>${name}</artifactId>${inner}</dependency>`;

  test('takes literal versions, its own properties and what it manages; the rest is told', async () => {
    const read = await readFrom({
      'pom.xml': `<?xml version="1.0"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <parent><groupId>org.x</groupId><version>7.0</version></parent>
  <properties><v.a>1.0</v.a><v.b>\${v.a}.1</v.b><v.c>\${v.c}</v.c></properties>
  <dependencyManagement><dependencies>
    ${dependency('managed', '<version>3.0</version><scope>test</scope>')}
    ${dependency('unused', '<version>4.0</version>')}
  </dependencies></dependencyManagement>
  <dependencies>
    ${dependency('plain', '<version>\n 1.2.3 </version><exclusions><exclusion><artifactId>*</artifactId></exclusion></exclusions>')}
    ${dependency('nested', '<version>${v.b}</version><optional>true</optional>')}
    ${dependency('own', '<version><![CDATA[${project.version}]]></version><scope>provided</scope>')}
    ${dependency('managed', '')}
    ${dependency('circle', '<version>${v.c}</version>')}
    ${dependency('range', '<version>[1.0,2.0)</version>')}
    ${dependency('inherited', '')}
    ${dependency('file', '<version>1</version><scope>system</scope>')}
  </dependencies>
  <build><plugins><plugin><dependencies>${dependency('plugin', '<version>1</version>')}</dependencies></plugin></plugins></build>
</project>`,
    });
    expect(scopes(read)).toEqual({
      'org.x:plain@1.2.3': 'runtime',
      'org.x:nested@1.0.1': 'optional',
      'org.x:own@7.0': 'runtime',
      'org.x:managed@3.0': 'development',
    });
    expect(read.skipped).toEqual([
      { reason: 'has its version from a property that the file does not set', count: 1 },
      { reason: 'is not pinned: its version is a range', count: 1 },
      { reason: 'has its version from a parent or an imported POM', count: 1 },
      { reason: 'is a file of the project', count: 1 },
    ]);
  });

  test.each([
    ['entities', '<!DOCTYPE p [<!ENTITY a "&b;&b;"><!ENTITY b "xxxx">]><project>&a;</project>', 'has a document type'],
    ['an entity that is not XML’s own', '<project>&a;</project>', 'is not XML'],
    ['elements without end', '<project>'.repeat(100_000), 'nested deeper than the 64 levels'],
    ['another document', '<html></html>', 'expected the element project'],
    ['a cut file', '<project><dependencies>', 'is not XML'],
  ])('%s', async (_, text, message) => {
    await expect(readFrom({ 'pom.xml': text })).rejects.toThrow(message);
  });
});

test('packages.lock.json, for every framework', async () => {
  const read = await readFrom({
    'packages.lock.json': {
      version: 1,
      dependencies: {
        'net6.0': {
          'Newtonsoft.Json': { type: 'Transitive', resolved: '13.0.1' },
          Serilog: { type: 'Direct', resolved: '3.0.0', dependencies: { 'newtonsoft.json': '13.0.1' } },
          app: { type: 'Project' },
        },
        'net8.0': { 'Newtonsoft.Json': { type: 'Direct', resolved: '13.0.1' } },
      },
    },
  });
  expect(byKey(read)).toEqual({
    'newtonsoft.json@13.0.1': { name: 'Newtonsoft.Json', ...found('13.0.1', 'runtime', true) },
    'serilog@3.0.0': { name: 'Serilog', ...found('3.0.0', 'runtime', true, ['newtonsoft.json@13.0.1']) },
  });
  expect(read.skipped).toEqual([{ reason: 'is a folder of the project', count: 1 }]);
});

test('TOML: a fault is told with its place and none of the text; depth and names of objects do no harm', async () => {
  const error = await readFrom({ 'uv.lock': 'version = 1\nurl = "https://token@example.org' }).catch(String);
  expect(error).toMatch(/uv\.lock: line 2, column \d+: is not TOML: /);
  expect(error).not.toContain('token');
  await expect(readFrom({ 'uv.lock': `version = 1\na = ${'['.repeat(1_000_000)}` })).rejects.toThrow('is not TOML');
  const read = await readFrom({
    'Cargo.lock':
      '[__proto__]\npolluted = 1\n[[package]]\nname = "constructor"\nversion = "1.0.0"\nsource = "registry+x"\n',
  });
  expect(read.packages.map(({ name }) => name)).toEqual(['constructor']);
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
});

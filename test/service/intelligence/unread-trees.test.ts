import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../src/service/db/database.js';
import type { Ecosystem } from '../../../src/shared/packages/ecosystem.js';
import { folderWith } from '../../reach/folder.js';
import { ownDatabase } from '../../support/own-database.js';
import { startService, type TestService } from '../../support/service.js';
import { newWorld } from './exposed-world.js';

let database: Database;
let service: TestService;
beforeAll(async () => {
  database = await ownDatabase();
  service = await startService({ database });
});
afterAll(async () => {
  await service.close();
  await database.close();
});

type Files = Readonly<Record<string, string>>;

const npm = (more: object = {}) =>
  JSON.stringify({ lockfileVersion: 3, packages: { 'node_modules/other': { version: '1.0.0' }, ...more } });
const lock = { 'package-lock.json': npm() };
const yarn = (entry: string) => `# yarn lockfile v1\n\n${entry}\n\nother@1:\n  version "1.0.0"\n`;
const pnpm = (version: string, entry = '') =>
  `lockfileVersion: '9.0'\nimporters:\n  .:\n    dependencies:\n      handlebars:\n        specifier: ${version}\n        version: ${version}\n      other:\n        specifier: 1.0.0\n        version: 1.0.0\npackages:\n${entry}  other@1.0.0:\n    resolution: {integrity: sha512-x}\nsnapshots:\n  other@1.0.0: {}\n`;
const poetry = (more = '') =>
  `[[package]]\nname = "flask"\nversion = "8.0.0"\n\n${more}[metadata]\ncontent-hash = "x"\n`;
const cargo = (source: string) =>
  `version = 3\n[[package]]\nname = "hyper"\nversion = "8.0.0"\n${source}\n[[package]]\nname = "serde"\nversion = "8.0.0"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\n`;
const composer = (more: object) =>
  JSON.stringify({
    packages: [
      { name: 'a/b', version: '1.0.0', 'notification-url': 'https://packagist.org/downloads/' },
      { name: 'symfony/http-kernel', ...more },
    ],
  });
const goMod = (more = '') => `module example.org/own\ngo 1.26.0\nrequire example.org/lib v8.0.0\n${more}`;
const gemfile = (version: string) => `GEM\n  remote: https://example.org/\n  specs:\n    rack (${version})\n`;
const h2 =
  '<dependency><groupId>com.h2database</groupId><artifactId>h2</artifactId><version>8.0</version></dependency>';

/** What it is, of which package it is asked, the tree, and the gap. */
const hidden: readonly (readonly [string, Ecosystem, string, Files, RegExp])[] = [
  [
    'a rival lock file',
    'npm',
    'handlebars',
    { ...lock, 'yarn.lock': yarn('handlebars@8:\n  version "8.0.0"') },
    /yarn\.lock: handlebars is in a lock file that is not taken \(8\.0\.0\)/,
  ],
  [
    'requirements beside Poetry’s lock file',
    'PyPI',
    'sqlparse',
    { 'poetry.lock': poetry(), 'requirements.txt': 'django==8.0\n' },
    /requirements\.txt lists direct packages alone/,
  ],
  [
    'a POM beside Gradle’s lock file',
    'Maven',
    'com.h2database:h2',
    { 'gradle.lockfile': 'a:b:1.0=x\nempty=\n', 'pom.xml': `<project><dependencies>${h2}</dependencies></project>` },
    /h2 is in a lock file that is not taken/,
  ],
  [
    'a binary lock file beside another one',
    'npm',
    'handlebars',
    { ...lock, 'bun.lockb': 'x' },
    /bun\.lockb is not read/,
  ],
  [
    'NuGet’s old list',
    'NuGet',
    'Newtonsoft.Json',
    { ...lock, 'api/packages.config': 'x' },
    /api\/packages\.config is not read/,
  ],
  [
    'a project file without lock file',
    'NuGet',
    'Newtonsoft.Json',
    { ...lock, 'api/App.csproj': '<PackageReference Include="Newtonsoft.Json" Version="8.0.0"/>' },
    /api\/App\.csproj asks for packages and has no lock file/,
  ],
  [
    'a manifest without lock file',
    'npm',
    'handlebars',
    { ...lock, 'docs/package.json': '{"dependencies": {"x": "8"}}' },
    /docs\/package\.json asks for packages/,
  ],
  [
    'a broken file among requirements',
    'PyPI',
    'django',
    { ...lock, 'requirements/prod.txt': 'django==8.0\n%%%\n' },
    /requirements\/prod\.txt is not read/,
  ],
  [
    'a repository without a package’s name',
    'PyPI',
    'django',
    { 'requirements.txt': 'flask==8.0 --hash=sha256:0\ngit+https://example.org/acme/fork.git@v8\n' },
    /line 2 comes from Git/,
  ],
  [
    'a linked folder of npm',
    'npm',
    'handlebars',
    { 'package-lock.json': npm({ 'node_modules/handlebars': { link: true, resolved: 'vendor/handlebars' } }) },
    /handlebars is of the project itself/,
  ],
  [
    'a tarball of any host',
    'npm',
    'handlebars',
    {
      'package-lock.json': npm({
        'node_modules/handlebars': { version: '8.0.0', resolved: 'https://files.example.org/h.tgz' },
      }),
    },
    /handlebars comes from a URL/,
  ],
  [
    'a linked folder of pnpm',
    'npm',
    'handlebars',
    { 'pnpm-lock.yaml': pnpm('link:../handlebars') },
    /handlebars is of the project itself/,
  ],
  [
    'an injected folder of pnpm',
    'npm',
    'handlebars',
    {
      'pnpm-lock.yaml': pnpm(
        'file:../h',
        '  handlebars@file:../h:\n    resolution: {directory: ../h, type: directory}\n',
      ),
    },
    /handlebars is of the project itself/,
  ],
  [
    'a linked folder of Yarn 1',
    'npm',
    'handlebars',
    { 'yarn.lock': yarn('"handlebars@link:./h":\n  version "8.0.0"') },
    /handlebars is of the project itself/,
  ],
  [
    'a copied folder of Yarn 1',
    'npm',
    'handlebars',
    { 'yarn.lock': yarn('"handlebars@file:./h":\n  version "8.0.0"') },
    /handlebars comes from a folder/,
  ],
  [
    'a portal of Yarn 4',
    'npm',
    'handlebars',
    {
      'yarn.lock':
        '__metadata:\n  version: 8\n\n"handlebars@portal:./h":\n  version: 8.0.0\n  resolution: "handlebars@portal:./h"\n\n"other@npm:1":\n  version: 1.0.0\n  resolution: "other@npm:1.0.0"\n',
    },
    /handlebars is of the project itself/,
  ],
  [
    'a linked folder of Bun',
    'npm',
    'handlebars',
    {
      'bun.lock':
        '{"lockfileVersion": 1, "workspaces": {}, "packages": {"handlebars": ["handlebars@link:handlebars", {}], "other": ["other@1.0.0", "", {}, ""]}}',
    },
    /handlebars is of the project itself/,
  ],
  [
    'the application that is deployed from its repository',
    'npm',
    'ghost',
    { ...lock, 'package.json': '{"name": "ghost"}' },
    /ghost is of the project itself/,
  ],
  [
    'a crate that a folder patches',
    'crates.io',
    'hyper',
    { 'Cargo.lock': cargo('') },
    /hyper is of the project itself/,
  ],
  [
    'a folder of Poetry',
    'PyPI',
    'django',
    {
      'poetry.lock': poetry(
        '[[package]]\nname = "django"\nversion = "8.0"\n[package.source]\ntype = "directory"\nurl = "vendor/django"\n\n',
      ),
    },
    /django is of the project itself/,
  ],
  [
    'a folder of uv',
    'PyPI',
    'django',
    {
      'uv.lock':
        'version = 1\n[[package]]\nname = "flask"\nversion = "8.0.0"\nsource = { registry = "https://example.org" }\n[[package]]\nname = "django"\nversion = "8.0"\nsource = { directory = "vendor/django" }\n',
    },
    /django is of the project itself/,
  ],
  [
    'a path repository of Composer',
    'Packagist',
    'symfony/http-kernel',
    { 'composer.lock': composer({ version: '8.0.0', dist: { type: 'path', url: './vendored' } }) },
    /symfony\/http-kernel comes from a folder/,
  ],
  [
    'a fork by Composer’s repositories',
    'Packagist',
    'symfony/http-kernel',
    { 'composer.lock': composer({ version: '8.0.0', source: { type: 'git', url: 'https://example.org/fork.git' } }) },
    /symfony\/http-kernel comes from Git/,
  ],
  [
    'the alias of a default branch',
    'Packagist',
    'symfony/http-kernel',
    { 'composer.lock': composer({ version: '9999999-dev', 'notification-url': 'x' }) },
    /symfony\/http-kernel has no version that can be compared/,
  ],
  [
    'a numeric branch, which may be older than its fix',
    'Packagist',
    'symfony/http-kernel',
    { 'composer.lock': composer({ version: '8.1.x-dev', 'notification-url': 'x' }) },
    /symfony\/http-kernel has no version that can be compared/,
  ],
  [
    'a module that a fork replaces',
    'Go',
    'example.org/lib',
    { 'go.mod': goMod('replace example.org/lib => example.org/fork v8.0.0\n') },
    /example\.org\/lib is replaced by other code/,
  ],
  [
    'a module that go.work replaces',
    'Go',
    'example.org/lib',
    { 'go.mod': goMod(), 'go.work': 'go 1.26.0\nuse .\nreplace example.org/lib => ../lib\n' },
    /example\.org\/lib is replaced by other code \(\.\.\/lib\)/,
  ],
  [
    'Go where no line states it',
    'Go',
    'stdlib',
    { 'go.mod': 'module a\nrequire example.org/x v1.0.0\n' },
    /stdlib comes with Go itself, whose version 1 source does not state/,
  ],
  [
    'a gem that comes with Ruby',
    'RubyGems',
    'rexml',
    { 'Gemfile.lock': gemfile('8.0') },
    /rexml comes with Ruby itself, whose version 1 source does not state/,
  ],
  [
    'what comes with .NET',
    'NuGet',
    'System.Text.Json',
    {
      'packages.lock.json':
        '{"version": 1, "dependencies": {"net8.0": {"A": {"type": "Direct", "resolved": "8.0.0"}}}}',
    },
    /system\.text\.json comes with \.NET itself/,
  ],
];

test.each(hidden)('%s: it is unknown, and the gap names it', async (_what, ecosystem, name, files, gap) => {
  const world = await newWorld(service, ecosystem, name);
  expect(await world.reach(folderWith(files))).toMatchObject({ exitCode: 0, stderr: '' });
  const { exposed, alerts } = await world.answers();
  expect(exposed).toEqual({ status: 'unknown', gaps: expect.arrayContaining([expect.stringMatching(gap)]) });
  // What comes with a runtime is looked for where it is asked for; of everything else no list is complete.
  if (!/comes with (?:Ruby|\.NET) itself/.test(exposed.gaps.join())) expect(alerts.status).toBe('unknown');
});

const clear: readonly (readonly [string, Ecosystem, string, Files])[] = [
  ['a lock file without it', 'npm', 'handlebars', lock],
  ['a rival that has the same', 'npm', 'handlebars', { ...lock, 'yarn.lock': yarn('other@2:\n  version "1.0.0"') }],
  [
    'folders of the project under other names',
    'npm',
    'handlebars',
    {
      'package-lock.json': npm({ 'node_modules/@acme/ui': { link: true, resolved: 'ui' } }),
      'package.json': '{"name": "shop"}',
    },
  ],
  ['manifests that ask for nothing', 'npm', 'handlebars', { ...lock, 'src/package.json': '{"type": "module"}' }],
  ['members of a workspace', 'npm', 'handlebars', { ...lock, 'a/package.json': '{"dependencies": {"other": "1"}}' }],
  [
    'a manifest of another ecosystem',
    'npm',
    'handlebars',
    { ...lock, 'api/pyproject.toml': '[project]\ndependencies = ["x"]\n' },
  ],
  [
    'it listed beside an unnamed address',
    'PyPI',
    'flask',
    { 'requirements.txt': 'flask==8.0\ngit+https://example.org/x.git\n-e .\n' },
  ],
  [
    'a list of packages with hashes, and missing limits',
    'PyPI',
    'django',
    { 'requirements.txt': '-c gone.txt\nflask==8.0 --hash=sha256:0\n' },
  ],
  ['a crate of the registry', 'crates.io', 'hyper', { 'Cargo.lock': cargo('source = "registry+https://example.org"') }],
  [
    'a package of Packagist',
    'Packagist',
    'symfony/http-kernel',
    { 'composer.lock': composer({ version: '8.0.0', 'notification-url': 'x', dist: { type: 'zip' } }) },
  ],
  [
    'another version of the same module',
    'Go',
    'example.org/lib',
    { 'go.mod': goMod('replace example.org/lib => example.org/lib v8.0.1\n') },
  ],
  ['a gem that the lock file has', 'RubyGems', 'rack', { 'Gemfile.lock': gemfile('8.0') }],
  ['other gems than those of Ruby', 'RubyGems', 'actionpack', { 'Gemfile.lock': gemfile('8.0') }],
];

test.each(clear)('%s: it is not affected', async (_what, ecosystem, name, files) => {
  const world = await newWorld(service, ecosystem, name);
  expect(await world.reach(folderWith(files))).toMatchObject({ exitCode: 0, stderr: '' });
  expect((await world.answers()).exposed).toEqual({ status: 'not_affected', gaps: [] });
});

test('Go’s standard library is affected before the fix, and not from it on', async () => {
  for (const [fixed, status] of [
    ['1.26.1', 'affected'],
    ['1.26.0', 'not_affected'],
  ] as const) {
    const world = await newWorld(service, 'Go', 'stdlib', fixed);
    await world.reach(folderWith({ 'go.mod': goMod() }));
    expect((await world.answers()).exposed.status).toBe(status);
  }
});

describe('what is mended goes with the next sync', () => {
  test('of the file that was not read', async () => {
    const world = await newWorld(service, 'npm', 'handlebars');
    await world.reach(folderWith({ ...lock, 'package.json': '{"name": "x"}', 'web/bun.lockb': 'x' }));
    expect((await world.answers()).exposed.status).toBe('unknown');
    await world.reach(folderWith({ ...lock, 'package.json': '{"name": "x"}' }));
    expect(await world.answers()).toMatchObject({
      exposed: { status: 'not_affected' },
      alerts: { status: 'not_affected' },
    });
  });

  test('of a version by hand', async () => {
    const world = await newWorld(service, 'Packagist', 'symfony/http-kernel');
    const added = await world.stack('POST', '', {
      ecosystem: 'Packagist',
      name: 'symfony/http-kernel',
      version: 'dev-main',
    });
    const both = (status: string) => ({ exposed: { status }, alerts: { status } });
    expect(await world.answers()).toMatchObject(both('unknown'));
    const item = `/${String(Object(added.body).id)}`;
    await world.stack('PATCH', item, { version: '8.0.0' });
    expect(await world.answers()).toMatchObject(both('not_affected'));
    await world.stack('PATCH', item, { version: 'dev-main' });
    expect(await world.answers()).toMatchObject(both('unknown'));
    await world.stack('POST', '', { ecosystem: 'npm', name: 'other', version: '8.0.0' });
    await world.stack('DELETE', item);
    expect(await world.answers()).toMatchObject(both('not_affected'));
  });

  test('of one source of several, where the others know', async () => {
    const world = await newWorld(service, 'PyPI', 'django');
    const whole = { 'poetry.lock': poetry() };
    await world.reach(folderWith({ ...whole, 'jobs/requirements.txt': 'flask==8.0\n' }));
    const { exposed } = await world.answers();
    expect(exposed.gaps).toEqual([expect.stringMatching(/jobs\/requirements\.txt lists direct packages alone/)]);
    const [, source = ''] = /^shop: (.*?requirements\.txt)/.exec(exposed.gaps[0] ?? '') ?? [];
    await world.sync({ source, packages: [], force: true });
    expect((await world.answers()).exposed.status).toBe('not_affected');
  });
});

test('a tree of which one lock file cannot be read changes nothing', async () => {
  const world = await newWorld(service, 'npm', 'handlebars');
  await world.reach(folderWith({ ...lock, 'api/composer.lock': '{' }));
  expect((await world.answers()).exposed).toMatchObject({
    status: 'unknown',
    gaps: expect.arrayContaining(['no packages are tracked']),
  });
});

test('two folders of one name keep their packages: by their manifests, else the second sync is refused', async () => {
  const world = await newWorld(service, 'npm', 'handlebars');
  const folder = (files: Files) =>
    join(folderWith(Object.fromEntries(Object.entries(files).map(([path, text]) => [`api/${path}`, text]))), 'api');
  const affected = { 'package-lock.json': npm({ 'node_modules/handlebars': { version: '6.0.0' } }) };
  const named = (name: string, files: Files) => folder({ ...files, 'package.json': `{"name": "${name}"}` });
  await world.reach(named('one', affected));
  expect(await world.reach(named('two', lock))).toMatchObject({ exitCode: 0 });
  expect((await world.answers()).exposed.status).toBe('affected');

  const other = await newWorld(service, 'PyPI', 'django');
  await other.reach(folder({ 'requirements.txt': 'django==6.0\n' }));
  const refused = await other.reach(folder({ 'requirements.txt': 'flask==8.0\n' }));
  expect(refused).toMatchObject({ exitCode: 1 });
  expect(refused.stderr).toMatch(
    /the only package of the source api:requirements\.txt would go .*\n.*give each a --source of its own/,
  );
  expect((await other.answers()).exposed.status).toBe('affected');
  // A range is as much as a version.
  const ranged = await newWorld(service, 'npm', 'handlebars');
  const git = {
    'package-lock.json': npm({
      'node_modules/other': { link: true },
      'node_modules/handlebars': { version: 'git+https://example.org/h.git#1' },
    }),
  };
  await ranged.reach(folder(git));
  expect(await ranged.reach(folder(lock))).toMatchObject({ exitCode: 1 });
});

test('a malicious package under the name of a folder of the project is not there', async () => {
  const world = await newWorld(service, 'npm', 'other-than-ui');
  const malware = await newWorld(service, 'npm', 'acme-ui');
  await service.database.system((tx) =>
    sql`update advisories set malicious = true where cves @> ${[malware.cve]}::text[]`.execute(tx),
  );
  const files = { 'package-lock.json': npm({ 'node_modules/acme-ui': { link: true, resolved: 'ui' } }) };
  await malware.reach(folderWith(files));
  expect(await malware.answers()).toMatchObject({
    exposed: { status: 'not_affected' },
    alerts: { status: 'not_affected' },
  });
  await world.reach(folderWith(files));
  expect((await world.answers()).exposed.status).toBe('not_affected');
});

import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { sourceNames } from '../../../src/reach/sync/source-name.js';
import { folderWith } from '../folder.js';

const remote = (name: string, url: string) => `[remote "${name}"]\n\turl = ${url}\n\tfetch = +refs/heads/*\n`;
const nameIn = async (folder: string, path: string) =>
  (await sourceNames(join(folder, path), folder, process.cwd())).source;

test('the remote is origin, else the first one, as git’s configuration has it', async () => {
  const named = async (config: string) => nameIn(folderWith({ '.git/config': config }), 'go.mod');
  const both = `[core]\n\tbare = false\n${remote('fork', 'https://example.org/ada/shop')}${remote('origin', 'https://example.org/acme/shop')}`;
  expect(await named(both)).toBe('example.org/acme/shop:go.mod');
  expect(await named(remote('upstream', 'https://example.org/acme/shop'))).toBe('example.org/acme/shop:go.mod');
  expect(await named('[remote "origin"] url = "https://example.org/a\\"b" ; ours')).toBe('example.org/a-b:go.mod');
  expect(await named('[Remote "origin"]\r\nURL=https://example.org/acme/shop # ours\r\n')).toBe(
    'example.org/acme/shop:go.mod',
  );
});

test('without a remote it is the repository’s own folder, in its worktrees too', async () => {
  const top = folderWith({ 'shop/.git/config': '[core]\n', 'shop/.git/worktrees/wt/commondir': '../..\n' });
  mkdirSync(join(top, 'elsewhere'));
  writeFileSync(join(top, 'elsewhere/.git'), `gitdir: ${join(top, 'shop/.git/worktrees/wt')}\n`);
  expect(await nameIn(join(top, 'shop'), 'web/yarn.lock')).toBe('shop:web/yarn.lock');
  expect(await nameIn(join(top, 'elsewhere'), 'web/yarn.lock')).toBe('shop:web/yarn.lock');
});

test('a submodule is a repository of its own', async () => {
  const folder = folderWith({
    '.git/config': remote('origin', 'https://example.org/acme/shop'),
    '.git/modules/lib/config': remote('origin', 'https://example.org/acme/lib'),
    'lib/.git': 'gitdir: ../.git/modules/lib\n',
  });
  expect(await nameIn(folder, 'lib/go.mod')).toBe('example.org/acme/lib:go.mod');
  expect(await nameIn(folder, 'go.mod')).toBe('example.org/acme/shop:go.mod');
});

test('outside of a repository it is the folder that was given', async () => {
  const folder = folderWith({});
  const names = await sourceNames(join(folder, 'web/go.mod'), folder, '/');
  expect(names).toEqual({
    source: `${basename(folder)}:web/go.mod`,
    former: join(folder, 'web/go.mod').slice(1),
    from: 'folder',
  });
});

test('without a remote the manifest at its root names it, and tells two folders of one name apart', async () => {
  const manifests = {
    'package.json': '{ "name": "@acme/shop" }',
    'go.mod': 'module example.org/shop\n',
    'Cargo.toml': '[package]\nname = "shop"\n',
    'pyproject.toml': '[project]\nname = "shop"\n',
    'composer.json': '{ "name": "acme/shop" }',
    'pom.xml': '<project><groupId>org.acme</groupId><artifactId>shop</artifactId></project>',
  };
  const names = [];
  for (const [file, text] of Object.entries(manifests)) {
    const folder = folderWith({ [file]: text });
    const { source, former, from } = await sourceNames(join(folder, 'web/yarn.lock'), folder, process.cwd());
    expect([former, from]).toEqual([`${basename(folder)}:web/yarn.lock`, 'manifest']);
    names.push(source.replace(':web/yarn.lock', ''));
  }
  expect(names).toEqual(['@acme/shop', 'example.org/shop', 'shop', 'shop', 'acme/shop', 'org.acme:shop']);
  const broken = folderWith({ 'package.json': '{', 'go.mod': 'module example.org/next\n' });
  expect(await nameIn(broken, 'go.mod')).toBe('example.org/next:go.mod');
});

test('a name that is too long keeps its end, and stays another for another path', async () => {
  const folder = folderWith({ '.git/config': remote('origin', 'https://example.org/acme/shop') });
  const long = (first: string) => nameIn(folder, `${first}/${'deep/'.repeat(60)}package-lock.json`);
  const [a, b] = [await long('a'), await long('b')];
  expect(a).toHaveLength(200);
  expect(a).toMatch(/^[0-9a-f]{16}….*deep\/package-lock\.json$/);
  expect(a).not.toBe(b);
});

import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { walkTree } from '../../../src/reach/analysis/tree.js';
import { languageReaders } from '../../../src/reach/languages/index.js';
import type { LanguageFindings } from '../../../src/reach/languages/language-reader.js';
import { folderWith } from '../folder.js';

const known = [
  { ecosystem: 'npm', name: 'lodash', version: '4.17.21' },
  { ecosystem: 'PyPI', name: 'redis', version: '1' },
  { ecosystem: 'Go', name: 'github.com/a/b', version: 'v1.0.0' },
  { ecosystem: 'Maven', name: 'com.google.guava:guava', version: '1' },
  { ecosystem: 'RubyGems', name: 'nokogiri', version: '1' },
  { ecosystem: 'crates.io', name: 'serde', version: '1.0.0' },
  { ecosystem: 'Packagist', name: 'twig/twig', version: '1' },
] as const;

/** One file of each language that uses its package, with the line that says so. */
const using: Readonly<Record<string, string>> = {
  'a/x.ts': "import { merge } from 'lodash';\nmerge();",
  'a/x.py': 'import redis',
  'a/x.go': 'package a\nimport "github.com/a/b"',
  'a/x.java': 'import com.google.common.io.Files;',
  'a/x.rb': "require 'nokogiri'",
  'a/x.rs': 'use serde::Serialize;',
  'a/x.php': '<?php\nuse Twig\\Environment;',
};

/** Files that go by the packages' names, or are broken, or start something. */
const others: Readonly<Record<string, string>> = {
  'lodash.js': 'export {};',
  'redis.py': '"""',
  'a/redis/__init__.py': '',
  'go.mod': 'module github.com/a/b',
  'b/main.go': 'package main\nfunc main() {',
  'com/google/common/io/Files.java': 'package com.google.common.io; class Files { static void main() {} }',
  'lib/nokogiri.rb': 'Bundler.require',
  Gemfile: "gem 'nokogiri', group: :test",
  'Cargo.toml': '[package]\nname = "serde"',
  'src/lib.rs': 'mod serde;',
  'src/serde.rs': '/*',
  'composer.json': '{"autoload": {"psr-4": {"Twig\\\\": "twig/"}}}',
  'twig/Environment.php': '<?php',
};

async function analyze(files: Readonly<Record<string, string>>): Promise<LanguageFindings[]> {
  const tree = await walkTree(folderWith(files));
  return Promise.all(languageReaders.map((reader) => reader.analyze(tree, known, { entries: [] })));
}

const sitesOf = (findings: readonly LanguageFindings[]) =>
  findings.flatMap(({ uses }) => uses.map(({ packageName, site }) => `${packageName} ${site.file}:${site.line}`));

const languages = resolve(import.meta.dirname, '../../../src/reach/languages');

test('each folder of a language is in the list, and has a test', async () => {
  const folders = readdirSync(languages, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name } of folders) {
    const exported: Readonly<Record<string, unknown>> = await import(`../../../src/reach/languages/${name}/reader.ts`);
    expect(
      languageReaders.filter((reader) => Object.values(exported).includes(reader)),
      name,
    ).toHaveLength(1);
  }
  expect(languageReaders).toHaveLength(folders.length);

  const tests = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' });
  const hasTest = (name: string) => tests.some((file) => file === `${name}.test.ts` || file.startsWith(`${name}/`));
  expect(folders.map(({ name }) => name).filter((name) => !hasTest(name))).toEqual([]);
});

test('languages import nothing of the analysis, which reads its languages from the list', () => {
  const files = readdirSync(languages, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  expect(files.length).toBeGreaterThan(languageReaders.length);
  const strays = files.filter((file) => readFileSync(resolve(languages, file), 'utf8').includes('/analysis/'));
  expect(strays).toEqual([]);
});

test('each language finds its own package, and no other reader reads its files', async () => {
  expect(sitesOf(await analyze(using)).sort()).toEqual([
    'com.google.guava:guava a/x.java:1',
    'github.com/a/b a/x.go:2',
    'lodash a/x.ts:1',
    'nokogiri a/x.rb:1',
    'redis a/x.py:1',
    'serde a/x.rs:1',
    'twig/twig a/x.php:2',
  ]);
  const readersOf = Object.keys(using).map((path) => languageReaders.filter((reader) => reader.reads(path)));
  for (const readers of readersOf) expect(readers).toHaveLength(1);
  expect(new Set(readersOf.flat())).toEqual(new Set(languageReaders));
});

test('adding files takes no use away, whichever they are', async () => {
  const before = sitesOf(await analyze(using));
  for (const added of Object.keys(others)) {
    expect(sitesOf(await analyze({ ...using, [added]: others[added] ?? '' })), added).toEqual(
      expect.arrayContaining(before),
    );
  }
  expect(sitesOf(await analyze({ ...using, ...others }))).toEqual(expect.arrayContaining(before));
});

test('every site has the package’s import in its line', async () => {
  const spelled: Readonly<Record<string, RegExp>> = {
    lodash: /lodash/,
    redis: /redis/,
    'github.com/a/b': /^"github/,
    'com.google.guava:guava': /^import com\.google/,
    nokogiri: /^require 'nokogiri'|^gem 'nokogiri'/,
    serde: /^serde/,
    'twig/twig': /^use Twig/,
  };
  for (const { uses } of await analyze({ ...using, ...others })) {
    for (const { packageName, site } of uses) {
      const line = { ...using, ...others }[site.file]?.split('\n')[site.line - 1] ?? '';
      expect(line.slice(site.column - 1)).toMatch(spelled[packageName] ?? /^$/);
    }
  }
});

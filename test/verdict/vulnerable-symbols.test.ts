import { describe, expect, test } from 'vitest';
import type { Ecosystem } from '../../src/shared/packages/ecosystem.js';
import { findVulnerable, type References } from '../../src/verdict/vulnerable-symbols.js';

const references = (symbols: readonly string[], more: Partial<References> = {}): References => ({
  symbols,
  complete: true,
  subpaths: [''],
  ...more,
});

function find(ecosystem: Ecosystem, name: string, symbol: string, used: References): string {
  const { known, referenced, excluded } = findVulnerable({ ecosystem, name }, { named: [symbol], suspected: [] }, used);
  expect(known).toBe(true);
  expect(referenced).toEqual(referenced.length > 0 ? [symbol] : []);
  return referenced.length > 0 ? 'referenced' : excluded ? 'excluded' : 'not excluded';
}

describe('npm', () => {
  test.each<[string, string, References, string]>([
    ['lodash.merge', 'lodash', references(['merge']), 'referenced'],
    ['merge', 'lodash', references(['merge']), 'referenced'],
    ['lodash.merge', 'lodash', references(['chunk']), 'excluded'],
    ['lodash.merge', 'lodash', references([]), 'excluded'],
    ['lodash.merge', 'lodash', references(['chunk'], { complete: false }), 'not excluded'],
    ['lodash.merge', 'lodash', references(['chunk'], { subpaths: null }), 'not excluded'],
    // A single file of the package: its own name is what is used.
    ['lodash.merge', 'lodash', references(['default'], { subpaths: ['merge'] }), 'referenced'],
    ['lodash.merge', 'lodash', references(['default'], { subpaths: ['fp/merge.js'] }), 'referenced'],
    ['lodash.zipObjectDeep', 'lodash', references(['default'], { subpaths: ['zipobjectdeep'] }), 'referenced'],
    ['lodash.merge', 'lodash', references(['default'], { subpaths: ['chunk', 'map.js'] }), 'excluded'],
    ['lodash.merge', 'lodash', references(['merge'], { subpaths: ['fp'] }), 'referenced'],
    // A private file may hold the function that the public one calls.
    ['lodash.merge', 'lodash', references(['default'], { subpaths: ['_baseMerge'] }), 'not excluded'],
    ['lodash.merge', 'lodash', references(['default'], { subpaths: ['lib/base'] }), 'not excluded'],
    // What gives all the rest: the module as a function, and wrapped values.
    ['lodash.merge', 'lodash', references(['default']), 'not excluded'],
    ['lodash.merge', 'lodash', references(['default'], { subpaths: ['', 'chunk'] }), 'not excluded'],
    ['lodash.merge', 'lodash', references(['chain']), 'not excluded'],
    // Another name of the module, a package that is one function, classes, methods, private functions.
    ['underscore.merge', 'lodash', references(['merge']), 'referenced'],
    ['lodash.template', 'lodash.template', references(['default']), 'referenced'],
    ['lodash.template', 'lodash.template', references([], { complete: false }), 'not excluded'],
    ['tar.Unpack', 'tar', references(['x']), 'not excluded'],
    ['tar.Unpack', 'tar', references(['Unpack']), 'referenced'],
    ['fast-xml-parser.XMLParser.parse', 'fast-xml-parser', references(['XMLBuilder']), 'not excluded'],
    ['@a/b.run', '@a/b', references(['run']), 'referenced'],
    ['@a/b.run', '@a/b', references(['stop']), 'excluded'],
    ['lodash._baseMerge', 'lodash', references(['chunk']), 'not excluded'],
  ])('%s of %s by %j: %s', (symbol, name, used, expected) => {
    expect(find('npm', name, symbol, used)).toBe(expected);
  });
});

describe('PyPI', () => {
  test.each<[string, References, string]>([
    ['django.utils.http.is_safe_url', references(['utils.http.is_safe_url']), 'referenced'],
    ['django.utils.http.is_safe_url', references(['utils.html.escape']), 'not excluded'],
    ['django.db.models.QuerySet.extra', references(['db.models.Model']), 'not excluded'],
    ['yaml.load', references(['load']), 'referenced'],
    ['yaml.load', references(['safe_load']), 'excluded'],
    ['yaml.load', references(['safe_load'], { complete: false }), 'not excluded'],
    ['yaml.load', references(['main.load']), 'not excluded'],
    ['yaml.Loader', references(['safe_load']), 'not excluded'],
    ['escape', references(['safe_load']), 'not excluded'],
  ])('%s by %j: %s', (symbol, used, expected) => {
    expect(find('PyPI', 'any', symbol, used)).toBe(expected);
  });
});

describe('Go', () => {
  const module = 'golang.org/x/crypto';
  test.each<[string, References, string]>([
    [`${module}/ssh.Dial`, references([`${module}/ssh.Dial`], { subpaths: ['ssh'] }), 'referenced'],
    [`${module}/ssh.Client.Run`, references([`${module}/ssh.Client.Run`], { subpaths: ['ssh'] }), 'referenced'],
    [`${module}/ssh.Dial`, references([`${module}/ssh.New`], { subpaths: ['ssh'], complete: false }), 'not excluded'],
    [`${module}/ssh.readLoop`, references([`${module}/ssh.New`], { subpaths: ['ssh'] }), 'not excluded'],
    // Of a package that no file imports nothing is referenced.
    [
      `${module}/ssh.Dial`,
      references([`${module}/bcrypt.Cost`], { subpaths: ['bcrypt'], complete: false }),
      'excluded',
    ],
    [`${module}/ssh/agent.New`, references([], { subpaths: ['ssh'], complete: false }), 'excluded'],
    [`${module}/ssh.Dial`, references([], { subpaths: null, complete: false }), 'not excluded'],
    [`${module}.Dial`, references([], { subpaths: [''], complete: false }), 'not excluded'],
  ])('%s by %j: %s', (symbol, used, expected) => {
    expect(find('Go', module, symbol, used)).toBe(expected);
  });

  test('a path with a dot is not taken for a symbol, and capitals of a module do not matter', () => {
    const used = references([], { subpaths: [''], complete: false });
    expect(find('Go', 'gopkg.in/yaml.v2', 'gopkg.in/yaml.v2.Unmarshal', used)).toBe('not excluded');
    expect(find('Go', 'github.com/masterminds/goutils', 'github.com/Masterminds/goutils.Random', used)).toBe(
      'not excluded',
    );
  });
});

describe('where a list of references is never complete', () => {
  test.each<[Ecosystem, string, string, string]>([
    ['crates.io', 'smallvec::SmallVec::grow', 'smallvec::SmallVec::grow', 'referenced'],
    ['crates.io', 'diesel::FromSql::<Text,Sqlite>::from_sql', 'diesel::FromSql::from_sql', 'referenced'],
    ['crates.io', 'crayon::ObjectPool<H,T>::free', 'crayon::ObjectPool::free', 'referenced'],
    ['crates.io', 'time::now', 'time::Instant', 'not excluded'],
    ['Maven', 'com.google.common.io.Files.createTempDir', 'com.google.common.io.Files.createTempDir', 'referenced'],
    ['Maven', 'com.google.common.io.Files.createTempDir', 'com.google.common.io.Files', 'not excluded'],
    ['Packagist', '\\A\\B', 'A\\B', 'referenced'],
  ])('%s: %s by %s: %s', (ecosystem, symbol, used, expected) => {
    expect(find(ecosystem, 'any', symbol, references([used]))).toBe(expected);
  });

  test('a long symbol of unclosed brackets is read in bounded time', () => {
    const symbol = '<'.repeat(100_000);
    expect(find('crates.io', 'any', symbol, references(['a']))).toBe('not excluded');
  });
});

test('one symbol that cannot be excluded keeps all of them from being', () => {
  const target = { ecosystem: 'npm', name: 'lodash' } as const;
  const used = references(['chunk']);
  const find = (...named: string[]) => findVulnerable(target, { named, suspected: [] }, used);
  expect(find('lodash.merge', 'lodash.zip').excluded).toBe(true);
  expect(find('lodash.merge', 'lodash.Cache.set').excluded).toBe(false);
  expect(find()).toEqual({ known: false, referenced: [], excluded: false });
});

describe('a suspected function', () => {
  const target = { ecosystem: 'npm', name: 'lodash' } as const;
  const find = (named: readonly string[], suspected: readonly string[], used = ['chunk']) =>
    findVulnerable(target, { named, suspected }, references(used));

  test('is as good as none where it is the only one and not referenced', () => {
    expect(find([], ['lodash.merge'])).toEqual(find([], []));
  });

  test('counts as a known one where it is referenced', () => {
    const all = { known: true, referenced: ['lodash.chunk'], excluded: false };
    expect(find([], ['lodash.chunk'])).toEqual(all);
    expect(find(['lodash.merge'], ['lodash.chunk'])).toEqual(all);
    expect(find(['lodash.chunk'], ['lodash.chunk'])).toEqual(all);
  });

  test('takes part in excluding only by not being excluded', () => {
    expect(find(['lodash.merge'], ['lodash.zip']).excluded).toBe(true);
    expect(find(['lodash.merge'], ['lodash.Cache.set']).excluded).toBe(false);
  });
});

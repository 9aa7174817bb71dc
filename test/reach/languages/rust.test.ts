import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { parseRust } from '../../../src/reach/languages/rust/imports.js';
import { rustReader } from '../../../src/reach/languages/rust/reader.js';
import { dataFile, hasData } from '../../support/data.js';
import { analyze as analyzeWith, places, symbols } from './analyzing.js';

const analyze = (packages: readonly string[], files: Readonly<Record<string, string>>) =>
  analyzeWith(rustReader, 'crates.io', packages, files);

test('uses, paths, attributes and renamed crates, each crate once a file', async () => {
  const found = await analyze(['serde', 'serde_json', 'rand-core', 'smallvec', 'libc', 'anyhow', 'tokio', 'regex'], {
    'Cargo.toml': '[package]\nname = "app"\n[dependencies]\njson = { package = "serde_json", version = "1" }\n',
    'src/main.rs': `// use regex::Regex;
/* /* use regex::Regex; */ use regex::Regex; */
extern crate libc as c;
use std::fmt;
use ::rand_core::{self, RngCore as Rng, block::{BlockRng, *}};
pub(crate) use json::Value;
mod inner;
const T: &str = r#"use regex::Regex; ""#;
#[derive(serde::Serialize)]
struct S<'a> { c: char, s: &'a str }
#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let quote = '"'; let v: smallvec::SmallVec<[u8; 4]> = smallvec::SmallVec::new();
    c::malloc(1); Ok(())
}
#[cfg(test)]
mod tests { fn t() { smallvec::smallvec![1]; regex::Regex::new(""); } }
`,
    'src/inner.rs':
      'use smallvec::SmallVec;\nfn f(v: &mut SmallVec<[u8; 1]>) { v.insert_many(0, x); SmallVec::with_capacity(1); }',
  });
  expect(places(found)).toEqual([
    'smallvec src/inner.rs:1:5 prod reached',
    'rand-core src/main.rs:5:7 prod reached',
    'serde_json src/main.rs:6:16 prod reached',
    'libc src/main.rs:3:1 prod reached',
    'serde src/main.rs:9:10 prod reached',
    'tokio src/main.rs:11:3 prod reached',
    'anyhow src/main.rs:12:20 prod reached',
    'smallvec src/main.rs:13:29 prod reached',
    'smallvec src/main.rs:17:22 test',
    'regex src/main.rs:17:46 test',
  ]);
  expect(symbols(found, 'rand-core')).toEqual(['rand_core::RngCore', 'rand_core::block', 'rand_core::block::BlockRng']);
  expect(symbols(found, 'libc')).toEqual(['libc::malloc']);
  expect(symbols(found, 'smallvec')).toEqual([
    'smallvec::SmallVec',
    'smallvec::SmallVec::insert_many',
    'smallvec::SmallVec::new',
    'smallvec::SmallVec::with_capacity',
    'smallvec::smallvec',
  ]);
  expect(found).toMatchObject({ parseErrors: 0, unresolved: 0 });
});

test('crates of the workspace are reached by their names', async () => {
  const found = await analyze(['log'], {
    'a/Cargo.toml': '[package]\nname = "first-crate"\n',
    'a/src/lib.rs': 'mod deep;',
    'a/src/deep/mod.rs': 'mod deeper;',
    'a/src/deep/deeper.rs': 'fn f() { log::info!("x"); }',
    'b/src/main.rs': 'fn main() { first_crate::run() }',
    'a/tests/t.rs': 'use log::debug;',
    'a/src/orphan.rs': 'use log::warn;',
  });
  expect(places(found)).toEqual([
    'log a/src/deep/deeper.rs:1:10 prod reached',
    'log a/src/orphan.rs:1:5 prod',
    'log a/tests/t.rs:1:5 test',
  ]);
});

const shown = ({ gaps }: Awaited<ReturnType<typeof analyze>>) =>
  gaps.map(({ kind, file, line, hides }) => `${kind} ${file}:${line} ${hides === 'any' ? hides : hides.join()}`);

describe('crates by other names', () => {
  test.each([
    ['the name of a library', ['tiny-bip39'], 'use bip39::Mnemonic;'],
    ['a library of two crates', ['xml-rs', 'RustyXML'], 'use xml::reader;'],
    ['an older hash', ['md-5'], 'fn f() { md5::Md5::new(); }'],
    ['a module of serde', ['serde_regex'], '#[serde(default, with = "serde_regex")]\nstruct A;'],
    [
      'a path of serde',
      ['serde_with'],
      '#[serde(rename = "x", serialize_with = "serde_with::rust::display")] struct A;',
    ],
    ['a type in a string', ['url'], '#[schemars(with = "Option<url::Url>")] struct A;'],
    ['a crate of macros', ['lazy_static'], '#[macro_use]\nextern crate lazy_static;'],
    ['a derive by its path', ['thiserror'], '#[derive(Debug, thiserror::Error)] enum E {}'],
    ['an attribute of a function', ['tokio'], '#[tokio::main]\nasync fn main() {}'],
    ['a crate of a target', ['nix'], '#[cfg(unix)] fn f() { unixy::unistd::getpid(); }'],
  ])('%s', async (_, packages, code) => {
    const found = await analyze(packages, {
      'Cargo.toml':
        '[package]\nname = "app"\n[target."cfg(unix)".dependencies]\nunixy = { package = "nix", version = "1" }\n',
      'src/main.rs': code,
    });
    expect(found.uses.map(({ packageName, site }) => `${packageName} ${site.role} ${site.reached}`)).toEqual(
      packages.map((name) => `${name} prod true`),
    );
    expect(found.gaps).toEqual([]);
  });

  test('names of the data are no crates', async () => {
    const code = '#[serde(rename = "log", tag = "url")] struct A; // #[serde(with = "log")]';
    expect(await analyze(['log', 'url'], { 'src/main.rs': code })).toMatchObject({ uses: [], gaps: [] });
  });
});

test('the files that a manifest, an attribute or an include names are reached', async () => {
  const files = {
    'Cargo.toml':
      '[package]\nname = "app"\n[lib]\nname = "odd"\npath = "rust/root.rs"\n[[bin]]\nname = "x"\npath = "rust/x.rs"\n',
    'rust/root.rs': 'mod below;\n#[path = "other/file.rs"]\npub(crate) mod named;\ninclude!("parts/part.rs");',
    'rust/x.rs': 'fn main() { odd::run() }',
    'rust/below.rs': 'use log::a;',
    'rust/other/file.rs': 'use log::b;',
    'rust/parts/part.rs': 'use log::c;',
  };
  const found = await analyze(['log'], files);
  expect(places(found).every((place) => place.endsWith('prod reached'))).toBe(true);
  expect(found.uses).toHaveLength(3);
  expect(found.gaps).toEqual([]);
});

describe('code that hides crates', () => {
  test.each([
    ['code of the build', 'include!(concat!(env!("OUT_DIR"), "/a.rs"));', ['unresolved_import src/main.rs:1 any']],
    ['code of protobuf', 'mod api { tonic::include_proto!("api"); }', ['unresolved_import src/main.rs:1 any']],
    ['a module without a file', 'mod generated;', ['unresolved_import src/main.rs:1 any']],
    ['an unknown library', 'use wellknown::A;', ['unowned_import src/main.rs:1 well-known-rs']],
    ['a type of the language', 'fn f() { usize::from_str("1"); }', []],
    ['a module of tests', '#[cfg(test)]\nmod generated;', []],
    ['a module in a module', 'mod a { mod b; }', []],
  ])('%s', async (_, code, gaps) => {
    const files = { 'src/main.rs': code, 'src/a/b.rs': '' };
    expect(shown(await analyze(['well-known-rs', 'usize-tools'], files))).toEqual(gaps);
  });
});

const record = z.object({
  affected: z.array(
    z.object({
      package: z.object({ name: z.string() }),
      ecosystem_specific: z
        .object({ affects: z.object({ functions: z.array(z.string()).default([]) }).optional() })
        .optional(),
    }),
  ),
});

test.skipIf(!hasData)('every function that RustSec names is found under its name', () => {
  let checked = 0;
  for (const line of readFileSync(dataFile('osv/rustsec.ndjson'), 'utf8').trim().split('\n')) {
    for (const { ecosystem_specific: specific } of record.parse(JSON.parse(line)).affected) {
      const functions = (specific?.affects?.functions ?? []).filter(
        (name) => /^[A-Za-z_]\w*(?:::[A-Za-z_]\w*)+$/.test(name) && !/^(?:std|core|alloc)::/.test(name),
      );
      for (const name of functions) {
        const direct = parseRust(`fn f() { ${name}(); }`, 'a.rs').references[0]?.symbols;
        const [last, ...rest] = name.split('::').reverse();
        const used = parseRust(`use ${rest.reverse().join('::')} as Thing; fn f() { Thing::${last}(); }`, 'a.rs');
        expect(direct).toContain(name);
        if (rest.length > 0) expect(used.references[0]?.symbols).toContain(name);
        checked += 1;
      }
    }
  }
  expect(checked).toBeGreaterThan(200);
});

describe('hostile text', () => {
  const deep = 100_000;
  test.each([
    ['comments within comments', '/*'.repeat(deep), 1],
    ['a raw string without end', `r${'#'.repeat(deep)}" use log::x;`, 1],
    ['groups without end', `use ${'a::{'.repeat(deep)}`, 0],
    ['words in a use', `use ${'a '.repeat(deep)};`, 0],
    ['quotes', "'".repeat(deep), 0],
    ['a path without end', `${'a::'.repeat(deep)}b`, 0],
    ['strings in attributes', `#[serde(${'with = "a::b", '.repeat(deep)}`, 0],
    ['attributes without end', '#[path = "'.repeat(deep), 0],
    ['modules', 'mod a;'.repeat(deep), 0],
    ['attributes', '#[cfg(test)]'.repeat(deep), 0],
    ['names of objects', 'use constructor::__proto__; fn f() { toString::x(); }', 0],
  ])('%s', async (_, text, parseErrors) => {
    expect(await analyze(['log'], { 'a.rs': text })).toMatchObject({ files: 1, parseErrors });
  });
});

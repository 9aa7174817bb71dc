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
    ['attributes', '#[cfg(test)]'.repeat(deep), 0],
    ['names of objects', 'use constructor::__proto__; fn f() { toString::x(); }', 0],
  ])('%s', async (_, text, parseErrors) => {
    expect(await analyze(['log'], { 'a.rs': text })).toMatchObject({ files: 1, parseErrors });
  });
});

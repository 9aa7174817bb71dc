import { describe, expect, test } from 'vitest';
import { walkTree } from '../../../src/reach/analysis/tree.js';
import { languageReaders } from '../../../src/reach/languages/index.js';
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

const paths = ['a.ts', 'a.py', 'a.go', 'a.java', 'a.kt', 'a.rb', 'Gemfile', 'a.rs', 'a.php'];

/** What is repeated without end; each has made a lexer or a pattern of somebody slow. */
const pieces = [
  ' ',
  '\t',
  '\n',
  '\r',
  '\\',
  '"',
  "'",
  '`',
  '"""',
  'r#"',
  '(',
  '[',
  '{',
  '/*',
  '//',
  '#',
  '<<<A\n',
  '<<A\n',
  '%q(',
  '=begin\n',
  'a',
  'a ',
  'a.',
  'a::',
  'a\\',
  'a/',
  '.',
  ':',
  ';',
  ',',
  '*',
  '$',
  '@',
  '-',
  '<',
  '?>',
  '<?php ',
  'import ',
  'import a',
  'import a\n',
  'import (',
  'from ',
  'from a import ',
  'from . import a, ',
  'use ',
  'use a',
  'use a;',
  'use {',
  'use a\\{',
  'require ',
  "require 'a'\n",
  'if TYPE_CHECKING:\n ',
  'if TYPE_CHECKING: ',
  'import_module(',
  '__import__("a"',
  'f"{',
  'f"{a:{',
  'f"{{',
  "gem 'a', ",
  'group ',
  'do\n',
  'extern crate ',
  'mod ',
  '#[cfg(test)] ',
  '#[cfg(test)] {',
  'x: A',
  'a = b.C',
  'a b.C{',
  'a.B(',
  'package ',
  'static void main',
  '@SpringBootApplication',
  'a.a.A',
] as const;

const size = 50_000;

// A second each where nothing is slow; something quadratic takes minutes.
describe('a file of one thing repeated is read in time', () => {
  test('in every language', () => {
    const untried = languageReaders.filter((reader) => !paths.some((path) => reader.reads(path)));
    expect(untried.map(({ name }) => name)).toEqual([]);
  });

  test.each(paths)('%s', async (path) => {
    const slow: string[] = [];
    for (const piece of pieces) {
      const prefix = path.endsWith('.php') ? '<?php ' : '';
      const tree = await walkTree(folderWith({ [path]: prefix + piece.repeat(Math.ceil(size / piece.length)) }));
      const start = performance.now();
      for (const reader of languageReaders) await reader.analyze(tree, known, { entries: [] });
      if (performance.now() - start > 20_000)
        slow.push(`${JSON.stringify(piece)} ${Math.round(performance.now() - start)} ms`);
    }
    expect(slow).toEqual([]);
  });
});

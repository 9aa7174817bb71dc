import { type ModuleFacts, newReference, type Reference } from './reference.js';

/** A comment or a string, whichever begins first. */
const commentOrString = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g;

const patterns: readonly (readonly [Reference['kind'], RegExp])[] = [
  [
    'import',
    /(?:^|[;}\n])[^\S\n]*import\s+(?:type\s+|typeof\s+)?(?:[\w$*{}\s,]{1,4000}?\sfrom\s*)?(["'])([^"'\n]+)\1/g,
  ],
  ['import', /\}\s*from\s*(["'])([^"'\n]+)\1/g],
  ['reexport', /(?:^|[;}\n])[^\S\n]*export\s+\*\s*(?:as\s+[\w$]+\s+)?from\s*(["'])([^"'\n]+)\1/g],
  ['require', /(?<![.\w$])require\s*\(\s*(["'])([^"'\n]+)\1\s*\)/g],
  ['dynamic', /(?<![.\w$])import\s*\(\s*(["'])([^"'\n]+)\1\s*\)/g],
];

/**
 * Finds the references of a text that cannot be parsed, by patterns. Their symbols are unknown. The search for quoted
 * package names (`quotedPackages`) finds what the patterns miss.
 */
export function referencesByPattern(text: string): ModuleFacts {
  const withoutComments = text.replace(commentOrString, (found) => (found.startsWith('/') ? blank(found) : found));
  return { references: matchesOf(withoutComments, patterns), parsed: false };
}

/** Calls without parentheses, as in CoffeeScript (`require 'a'`), and LiveScript's lists (`require! 'a'`). */
const looseRequire: typeof patterns = [['require', /(?<![.\w$])require!?\s*\(?\s*(["'])([^"'\n]+)\1/g]];

/** Finds the references of a text in a language that compiles to JavaScript. Its comments begin with `#` or `//`. */
export function referencesInOtherLanguage(text: string): readonly Reference[] {
  const withoutComments = text.replace(/^[ \t]*(?:#|\/\/|;|\*).*$/gm, blank);
  return matchesOf(withoutComments, [...patterns, ...looseRequire]);
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}

function matchesOf(text: string, expressions: typeof patterns): readonly Reference[] {
  const byOffset = new Map<number, Reference>();
  for (const [kind, pattern] of expressions) {
    for (const match of text.matchAll(pattern)) {
      const [whole, quote = '', specifier = ''] = match;
      const offset = match.index + whole.lastIndexOf(`${quote}${specifier}${quote}`);
      const typeOnly = kind === 'import' && /^\W*import\s+type(?:of)?\s/.test(whole);
      if (byOffset.has(offset)) continue;
      const reference = newReference(kind, specifier, offset, { typeOnly });
      reference.symbolsComplete = false;
      byOffset.set(offset, reference);
    }
  }
  return [...byOffset.values()].sort((a, b) => a.offset - b.offset);
}

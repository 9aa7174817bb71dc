import { type ParseResult, type ParserOptions, parseSync } from 'oxc-parser';
import type { SourceKind } from '../source-kinds.js';

function optionsFor({ lang }: SourceKind): ParserOptions {
  return { preserveParens: false, astType: 'js', lang };
}

/** Parses in the dialect of the file's name. Null if there is any error. */
export function parseStrictly(text: string, kind: SourceKind): ParseResult | null {
  const result = parseSync('module', text, optionsFor(kind));
  return result.errors.length === 0 ? result : null;
}

/** Parses in the dialect of the file's name, then as CommonJS, TypeScript or Flow. Null if all of them fail. */
export function parse(text: string, kind: SourceKind): ParseResult | null {
  const base = optionsFor(kind);
  const { lang } = kind;
  const first = parseSync('module', text, base);
  if (first.errors.length === 0) return first;
  const attempts = [first];
  const alternatives: readonly (readonly [string, ParserOptions])[] =
    lang === 'jsx'
      ? [
          [text, { ...base, sourceType: 'commonjs' }],
          [flowAsTypeScript(text), { ...base, lang: 'tsx' }],
        ]
      : [[text, { ...base, lang: lang === 'ts' ? 'tsx' : 'ts' }]];
  for (const [source, options] of alternatives) {
    const attempt = parseSync('module', source, options);
    if (attempt.errors.length === 0) return attempt;
    attempts.push(attempt);
  }
  // The parser recovers from errors that leave the tree whole, such as a `return` outside of functions.
  return attempts.find(({ program }) => program.body.length > 0) ?? null;
}

/** Replaces Flow's syntax by TypeScript's of the same length, so that offsets stay right. */
function flowAsTypeScript(text: string): string {
  return text
    .replace(/@(?:no)?flow\b/g, (pragma) => pragma.replace('f', '_'))
    .replace(/\bimport typeof\b/g, 'import type  ')
    .replace(/([{,]\s*)typeof(?= \w+\s*[,}])/g, '$1type  ')
    .replaceAll('{|', '{ ')
    .replaceAll('|}', ' }');
}

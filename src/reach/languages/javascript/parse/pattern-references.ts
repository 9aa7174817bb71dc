import { type ModuleFacts, newReference, type Reference } from './reference.js';

/** A comment or a string, whichever begins first. */
const commentOrString = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g;

const patterns: readonly (readonly [Reference['kind'], RegExp])[] = [
  ['import', /(?:^|[;}\n])\s*import\s+(?:type\s+|typeof\s+)?(?:[\w$*{}\s,]{1,4000}?\sfrom\s*)?(["'])([^"'\n]+)\1/g],
  ['import', /\}\s*from\s*(["'])([^"'\n]+)\1/g],
  ['reexport', /(?:^|[;}\n])\s*export\s+\*\s*(?:as\s+[\w$]+\s+)?from\s*(["'])([^"'\n]+)\1/g],
  ['require', /(?<![.\w$])require\s*\(\s*(["'])([^"'\n]+)\1\s*\)/g],
  ['dynamic', /(?<![.\w$])import\s*\(\s*(["'])([^"'\n]+)\1\s*\)/g],
];

/**
 * Finds the references of a text that cannot be parsed, by patterns. Their symbols are unknown. The search for quoted
 * package names (`quotedPackages`) finds what the patterns miss.
 */
export function referencesByPattern(text: string): ModuleFacts {
  const withoutComments = text.replace(commentOrString, (found) =>
    found.startsWith('/') ? found.replace(/[^\n]/g, ' ') : found,
  );
  const byOffset = new Map<number, Reference>();
  for (const [kind, pattern] of patterns) {
    for (const match of withoutComments.matchAll(pattern)) {
      const [whole, quote = '', specifier = ''] = match;
      const offset = match.index + whole.lastIndexOf(`${quote}${specifier}${quote}`);
      const typeOnly = kind === 'import' && /^\W*import\s+type(?:of)?\s/.test(whole);
      if (byOffset.has(offset)) continue;
      const reference = newReference(kind, specifier, offset, { typeOnly });
      reference.symbolsComplete = false;
      byOffset.set(offset, reference);
    }
  }
  const references = [...byOffset.values()].sort((a, b) => a.offset - b.offset);
  return { references, unknownDynamic: 0, parsed: false };
}

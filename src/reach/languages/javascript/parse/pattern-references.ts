import { type ModuleFacts, newReference, type Reference } from './reference.js';

/** Comments and strings, whichever begins first; strings stay, comments go. */
const commentOrString = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g;

const patterns: readonly (readonly [Reference['kind'], RegExp])[] = [
  ['import', /(?:^|[;}\n])\s*import\s+(?:type\s+|typeof\s+)?(?:[\w$*{}\s,]{1,4000}?\sfrom\s*)?(["'])([^"'\n]+)\1/g],
  ['import', /\}\s*from\s*(["'])([^"'\n]+)\1/g],
  ['reexport', /(?:^|[;}\n])\s*export\s+\*\s*(?:as\s+[\w$]+\s+)?from\s*(["'])([^"'\n]+)\1/g],
  ['require', /(?<![.\w$])require\s*\(\s*(["'])([^"'\n]+)\1\s*\)/g],
  ['dynamic', /(?<![.\w$])import\s*\(\s*(["'])([^"'\n]+)\1\s*\)/g],
];

/**
 * References of a text that no parser took, by patterns: no symbols are known, and none are complete. What the
 * patterns miss is for the search for names (unparsed.ts).
 */
export function fallbackReferences(text: string): ModuleFacts {
  const blanked = text.replace(commentOrString, (found) =>
    found.startsWith('/') ? found.replace(/[^\n]/g, ' ') : found,
  );
  const byOffset = new Map<number, Reference>();
  for (const [kind, pattern] of patterns) {
    for (const match of blanked.matchAll(pattern)) {
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

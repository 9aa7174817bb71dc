import type { PlacedString } from './mentions/file-strings.js';

const comment = /\/\*[\s\S]*?\*\/|(?<![:\w])\/\/[^\n]*/g;
const directive = /@(?:import|plugin|use|forward|config|reference|source|require)\b[^;{}\n]*/g;
const quoted = /(["'])((?:(?!\1)[^\\\n])*)\1|url\(\s*([^"')\s]+)\s*\)/g;
const composed = /\bcomposes\s*:[^;}]*\bfrom\s+["'][^"'\n]+["']|url\(\s*["']?~?[^"')]+["']?\s*\)/g;

/** What a style sheet takes from elsewhere: the strings of `@import`, `@plugin` and the like, and of `url(...)`. */
export function styleStrings(text: string): readonly PlacedString[] {
  const blanked = text.replace(comment, (found) => found.replace(/[^\n]/g, ' '));
  return [directive, composed].flatMap((pattern) =>
    Array.from(blanked.matchAll(pattern)).flatMap((match) =>
      Array.from(match[0].matchAll(quoted)).map((string) => {
        const found = string[2] ?? string[3] ?? '';
        return { text: found, offset: match.index + string.index + string[0].indexOf(found) };
      }),
    ),
  );
}

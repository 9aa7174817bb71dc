/**
 * A text from outside as one line of at most `longest` characters: without line breaks, controls, and characters that are
 * not seen or turn the direction of others (Unicode categories Cc, Cf, Zl, Zp).
 */
export function plainLine(text: string, longest: number): string {
  // Cut roughly first: how long the text is was its author's choice.
  const line = text
    .slice(0, longest * 8)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\s]+/gu, ' ')
    .trim();
  const signs = [...line];
  return signs.length > longest ? `${signs.slice(0, longest - 1).join('')}…` : line;
}

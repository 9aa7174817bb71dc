/**
 * A text from outside as one line of at most `maxLength` characters, without line breaks, control characters, and
 * characters that are invisible or change the direction of text (Unicode categories Cc, Cf, Zl, Zp).
 */
export function plainLine(text: string, maxLength: number): string {
  // A rough cut first: the text may be very long.
  const line = text
    .slice(0, maxLength * 8)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\s]+/gu, ' ')
    .trim();
  const characters = [...line];
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : line;
}

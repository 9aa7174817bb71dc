import { clip } from './cut.js';

/**
 * Text from elsewhere, made safe for a terminal: control characters become spaces, since a terminal would obey them.
 * At most `maxLength` characters.
 */
export function plainText(text: string, maxLength = 500): string {
  return clip(text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' '), maxLength);
}

import { clip } from './clip.js';

/** Text from elsewhere, fit for a terminal: control characters, which it would obey, become spaces; at most `max` characters. */
export function plainText(text: string, max = 500): string {
  return clip(text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' '), max);
}

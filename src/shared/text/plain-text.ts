/** Text from elsewhere, fit for a terminal: control characters, which it would obey, become spaces; at most `max` characters. */
export function plainText(text: string, max = 500): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ');
  return plain.length > max ? `${plain.slice(0, max - 1)}…` : plain;
}

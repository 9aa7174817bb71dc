/**
 * Text from elsewhere, made safe for a terminal: control characters become spaces, since a terminal would obey them.
 * At most `maxLength` characters.
 */
export function plainText(text: string, maxLength = 500): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ');
  return plain.length > maxLength ? `${plain.slice(0, maxLength - 1)}…` : plain;
}

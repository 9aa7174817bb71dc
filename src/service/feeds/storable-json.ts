/**
 * JSON text that PostgreSQL can store. Its text cannot hold NUL or half a surrogate pair: both become U+FFFD. That is
 * better than losing an advisory because of one character.
 */
export function storableJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(/\\(u0000|ud[89a-f][0-9a-f]{2}|.)/g, (sequence: string, kind: string) =>
    kind === 'u0000' || kind.startsWith('ud') ? '\ufffd' : sequence,
  );
}

/**
 * JSON text that PostgreSQL takes: NUL and halves of surrogate pairs, which its text cannot hold, become U+FFFD. Records
 * come from outside, and losing an advisory over one character would be worse.
 */
export function storableJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(/\\(u0000|ud[89a-f][0-9a-f]{2}|.)/g, (sequence: string, kind: string) =>
    kind === 'u0000' || kind.startsWith('ud') ? '\ufffd' : sequence,
  );
}

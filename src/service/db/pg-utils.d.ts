declare module 'pg/lib/utils.js' {
  /** A parameter as the protocol carries it: text, or the bytes of a bytea. */
  export function prepareValue(value: unknown): string | Buffer | null;
}

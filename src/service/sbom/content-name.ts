import { createHash } from 'node:crypto';

/** A version 8 UUID (RFC 9562, 5.8) of the content's SHA-256, as a URN: equal content gives the same URN. */
export function urnOf(content: unknown): string {
  const hex = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `${variant}${hex.slice(17, 20)}`];
  return `urn:uuid:${parts.join('-')}-${hex.slice(20, 32)}`;
}

import { createHash } from 'node:crypto';

/**
 * A URN for a document, computed from its content: equal content gives the same URN, different content another one. A
 * version 8 UUID (RFC 9562, 5.8) of the first bits of SHA-256.
 */
export function urnOf(content: unknown): string {
  const hex = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `${variant}${hex.slice(17, 20)}`];
  return `urn:uuid:${parts.join('-')}-${hex.slice(20, 32)}`;
}

import { createHash } from 'node:crypto';
import { isSealed, seal, unseal } from './sealed-text.js';

/** Seals what the database must keep and be able to read again, such as the addresses of webhooks. */
export interface SecretBox {
  /** @param place column and id of the row, as `webhooks.url whk_1` */
  seal(text: string, place: string): string;
  /**
   * What was sealed. A text that never was, of before there was this box, is answered as it is.
   * @throws UnopenableError
   */
  open(text: string, place: string): string;
}

/** @param key 32 bytes */
export function createSecretBox(key: Buffer): SecretBox {
  const named = { id: createHash('sha256').update(key).digest('hex').slice(0, 16), key };
  return {
    seal: (text, place) => seal(named, text, place),
    open: (text, place) => (isSealed(text) ? unseal(named, text, place) : text),
  };
}

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const prefix = 'sealed:';

/** Lengths in bytes: the nonce that NIST SP 800-38D recommends for GCM, and its longest tag. */
const nonceBytes = 12;
const tagBytes = 16;

/** A key with the name under which sealed values refer to it. */
export interface NamedKey {
  readonly id: string;
  /** 32 bytes. */
  readonly key: Buffer;
}

/** A text that cannot be opened: it was sealed under another key, for another place, or it was changed. */
export class UnopenableError extends Error {}

export function isSealed(text: string): boolean {
  return text.startsWith(prefix);
}

/**
 * A text as `sealed:<key id>:<nonce, tag and ciphertext in base64url>`, by AES-256-GCM.
 *
 * @param place where it is kept, as `webhooks.url whk_1`: at another place it does not open
 */
export function seal({ id, key }: NamedKey, text: string, place: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(place));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return `${prefix}${id}:${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')}`;
}

/**
 * The text behind what `seal` made.
 * @throws UnopenableError
 */
export function unseal({ id, key }: NamedKey, sealed: string, place: string): string {
  const [, keyId, content = ''] = /^sealed:([^:]*):([\w-]+)$/.exec(sealed) ?? [];
  if (keyId !== id) throw new UnopenableError(`it is not sealed under the key ${id}`);
  const bytes = Buffer.from(content, 'base64url');
  try {
    const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
      .setAAD(Buffer.from(place))
      .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
    const opened = Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]);
    return opened.toString('utf8');
  } catch {
    throw new UnopenableError(`the value sealed under the key ${id} was changed, or belongs elsewhere`);
  }
}

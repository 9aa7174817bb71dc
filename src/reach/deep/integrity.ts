import { createHash, timingSafeEqual } from 'node:crypto';

/** Digests that lock files hold, from strong to weak. npm's older files have SHA-1 alone. */
const algorithms = ['sha512', 'sha384', 'sha256', 'sha1'] as const;

/** A digest that bytes must have. */
export interface Digest {
  readonly algorithm: (typeof algorithms)[number];
  readonly value: Buffer;
}

/** The strongest digest of an integrity (https://www.w3.org/TR/SRI/#the-integrity-attribute); null where it has none. */
export function strongestDigest(integrity: string): Digest | null {
  for (const algorithm of algorithms) {
    for (const part of integrity.split(/\s+/)) {
      const [name, encoded = ''] = part.split('-', 2);
      const value = Buffer.from(encoded.replace(/\?.*$/s, ''), 'base64');
      if (name === algorithm && value.length === createHash(algorithm).digest().length) return { algorithm, value };
    }
  }
  return null;
}

/** Computes a digest of bytes piece by piece. */
export function digestOf({ algorithm, value }: Digest) {
  const hash = createHash(algorithm);
  return {
    update: (bytes: Uint8Array) => void hash.update(bytes),
    matches: () => timingSafeEqual(hash.digest(), value),
  };
}

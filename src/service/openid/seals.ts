import { hkdfSync } from 'node:crypto';
import { EncryptJWT, jwtDecrypt } from 'jose';
import type * as z from 'zod';

/** What a sealed text is for: it opens for nothing else. */
type Purpose = 'flow' | 'choice';

/** What the service remembers of a sign-in that is under way, where its browser keeps it. */
export interface Seals {
  /** A text that nobody else can read or make, good for so many seconds. */
  seal(purpose: Purpose, value: Readonly<Record<string, unknown>>, seconds: number): Promise<string>;
  /** What was sealed; undefined where the text was changed, has expired, or was sealed for something else. */
  open<T>(purpose: Purpose, schema: z.ZodType<T>, text: string): Promise<T | undefined>;
}

/** @param keys of the session tokens, of which others are derived: the first seals, all open */
export function createSeals(keys: readonly Uint8Array[]): Seals {
  const derived = (purpose: Purpose) => keys.map((key) => keyFor(key, purpose));
  const of = { flow: derived('flow'), choice: derived('choice') } as const;
  return {
    async seal(purpose, value, seconds) {
      const [key] = of[purpose];
      if (key === undefined) throw new Error('there is no key to seal with');
      const token = new EncryptJWT({ ...value }).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' });
      return token.setIssuedAt().setExpirationTime(`${seconds} s`).encrypt(key);
    },
    async open(purpose, schema, text) {
      for (const key of of[purpose]) {
        const opened = await jwtDecrypt(text, key, {
          ...{ keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] },
          requiredClaims: ['exp'],
        }).catch(() => undefined);
        const read = opened && schema.safeParse(opened.payload);
        if (read?.success === true) return read.data;
      }
      return undefined;
    },
  };
}

/** HKDF (RFC 5869) with SHA-256: what signs sessions opens nothing, and a flow opens no choice. */
function keyFor(key: Uint8Array, purpose: Purpose): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, '', `postern: seals the ${purpose} of a sign-in`, 32));
}

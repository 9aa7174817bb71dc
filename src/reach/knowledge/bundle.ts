import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import * as z from 'zod';
import { KnowledgeError, parse, parseJson } from './knowledge-file.js';

/** The texts of the files of a set, by their paths in it. */
export type KnowledgeFiles = ReadonlyMap<string, string>;

/** Five times what we ship, and more. */
export const maxBytes = 16 * 1024 ** 2;
export const maxFiles = 1000;

const path = z.string().regex(/^(?:[a-z\d-]+\/){0,3}[a-z\d-]+\.json$/, 'must be the path of a JSON file in the set');

/** The publisher signs this: the digest of each file, and the newest day on which one of them was checked. */
const manifest = z.strictObject({
  format: z.literal('postern-knowledge/1'),
  date: z.iso.date(),
  files: z.record(path, z.hash('sha256')),
});

/** A set in one file. The manifest is a text, so that what is signed are its very bytes. */
const bundle = z.strictObject({
  manifest: z.string(),
  /** Ed25519 in base64; null where the publisher has signed nothing. */
  signature: z.base64().nullable(),
  files: z.record(path, z.string()),
});

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** Puts a set into one text. @param key of the publisher; null: it is not signed */
export function makeBundle(files: KnowledgeFiles, date: string, key: KeyObject | null): string {
  const digests = Object.fromEntries([...files].map(([name, text]) => [name, digestOf(text)]));
  const signed = JSON.stringify({ format: 'postern-knowledge/1', date, files: digests });
  const signature = key === null ? null : sign(null, Buffer.from(signed), key).toString('base64');
  return `${JSON.stringify({ manifest: signed, signature, files: Object.fromEntries(files) })}\n`;
}

/**
 * The set in a bundle, with each file as its manifest says. The files themselves are not parsed.
 *
 * @param name of the bundle, for errors
 * @param key of the publisher: it must have signed the bundle; null: nobody has to
 * @throws KnowledgeError
 */
export function openBundle(
  name: string,
  text: string,
  key: KeyObject | null,
): { readonly files: KnowledgeFiles; readonly date: string } {
  if (Buffer.byteLength(text) > maxBytes) throw new KnowledgeError(`${name}: is larger than ${maxBytes} bytes`);
  const { manifest: signed, signature, files } = parse(name, parseJson(name, text), bundle);
  if (key !== null) {
    if (signature === null) throw new KnowledgeError(`${name}: is not signed, and a key of its publisher is set`);
    if (!verify(null, Buffer.from(signed), key, Buffer.from(signature, 'base64')))
      throw new KnowledgeError(`${name}: the configured key has not signed it, or it was changed since`);
  }
  const { date, files: digests } = parse(`${name}: manifest`, parseJson(`${name}: manifest`, signed), manifest);
  const names = new Set([...Object.keys(files), ...Object.keys(digests)]);
  if (names.size > maxFiles) throw new KnowledgeError(`${name}: has more than ${maxFiles} files`);
  for (const each of names) {
    const found = files[each];
    if (found === undefined) throw new KnowledgeError(`${name}: ${each} is missing`);
    if (digestOf(found) !== digests[each])
      throw new KnowledgeError(`${name}: ${each} is not the file that the manifest names`);
  }
  return { files: new Map(Object.entries(files)), date };
}

const jwk = z.looseObject({ kty: z.literal('OKP') });

/** A key for Ed25519, in PEM or as a JWK. Throws KnowledgeError, without a part of the key. */
export function keyOf(text: string, use: 'sign' | 'verify'): KeyObject {
  const create = use === 'sign' ? createPrivateKey : createPublicKey;
  let key: KeyObject;
  try {
    key = text.trimStart().startsWith('{')
      ? create({ key: jwk.parse(JSON.parse(text)), format: 'jwk' })
      : create(text.trim());
  } catch {
    throw new KnowledgeError(`the key to ${use} with is neither PEM nor a JWK`);
  }
  if (key.asymmetricKeyType !== 'ed25519') throw new KnowledgeError(`the key to ${use} with is not one for Ed25519`);
  return key;
}

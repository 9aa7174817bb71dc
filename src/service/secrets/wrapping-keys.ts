import { createHash, hkdfSync } from 'node:crypto';
import { join } from 'node:path';
import { existingKey, keyFromFile } from './key-file.js';
import type { NamedKey } from './sealed-text.js';

interface Sources {
  readonly dataDir: string;
  /** SECRETS_KEY: the one that wraps, and an earlier one that still unwraps. */
  readonly configured: readonly string[];
  /** Whether the database is the one in the data folder. A server's other instances have other folders. */
  readonly isEmbedded: boolean;
}

/**
 * The keys that wrap the service's keys in the database, the one to wrap with first. None for a server without SECRETS_KEY:
 * its instances have nothing else in common.
 */
export async function loadWrappingKeys({ dataDir, configured, isEmbedded }: Sources): Promise<NamedKey[]> {
  const path = join(dataDir, 'secrets.key');
  const named = configured.map(wrappingKeyOf);
  if (!isEmbedded) return named;
  if (named.length === 0) return [wrappingKeyOf(await keyFromFile(path))];
  const earlier = await existingKey(path);
  return earlier === undefined ? named : [...named, wrappingKeyOf(earlier)];
}

/** HKDF (RFC 5869) with SHA-256. The id is a hash of the derived key, which says nothing of it. */
function wrappingKeyOf(secret: string): NamedKey {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'postern: wraps the service’s keys', 32));
  return { id: createHash('sha256').update(key).digest('hex').slice(0, 16), key };
}

import { join } from 'node:path';
import { keyFromFile } from '../secrets/key-file.js';

/** The service's two keys: from the environment, or else from files in the data folder. */
export interface ServiceKeys {
  /** Of session tokens: the first signs, all are accepted. */
  readonly jwtKeys: readonly Uint8Array[];
  /** The operator's bearer token. */
  readonly operatorKey: string;
}

interface KeySources {
  readonly dataDir: string;
  /** The one that signs, and an earlier one whose sessions are still good. */
  readonly jwtSecrets?: readonly string[] | undefined;
  readonly operatorKey?: string | undefined;
  /** What signs sessions where no secret is configured: a server's database keeps it for all instances. */
  readonly storedJwtKey?: Uint8Array | undefined;
}

/** Reads the service's keys. What is neither given nor stored is a file of mode 0600, made at the first start. */
export async function loadServiceKeys(sources: KeySources): Promise<ServiceKeys> {
  const { dataDir, jwtSecrets = [], operatorKey, storedJwtKey } = sources;
  const configured = jwtSecrets.map((secret) => encode(requireLength('JWT_SECRET', secret)));
  const fallback = async () => storedJwtKey ?? encode(await keyFromFile(join(dataDir, 'jwt.key')));
  return {
    jwtKeys: configured.length > 0 ? configured : [await fallback()],
    operatorKey: requireLength('OPERATOR_KEY', operatorKey ?? (await keyFromFile(join(dataDir, 'operator.key')))),
  };
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function requireLength(name: string, key: string): string {
  if (Buffer.byteLength(key) < 32) throw new Error(`${name} must have at least 32 bytes`);
  return key;
}

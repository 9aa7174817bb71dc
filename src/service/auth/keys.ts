import { join } from 'node:path';
import { keyFromFile } from './key-file.js';

/** The service's two keys: from the environment, or else from files in the data folder. */
export interface ServiceKeys {
  /** Signs session tokens. */
  readonly jwtKey: Uint8Array;
  /** The operator's bearer token. */
  readonly operatorKey: string;
}

interface KeySources {
  readonly dataDir: string;
  readonly jwtSecret?: string | undefined;
  readonly operatorKey?: string | undefined;
}

/** Reads the service's keys. The first start makes the files `jwt.key` and `operator.key` (mode 0600). */
export async function loadServiceKeys({ dataDir, jwtSecret, operatorKey }: KeySources): Promise<ServiceKeys> {
  const jwt = jwtSecret ?? (await keyFromFile(join(dataDir, 'jwt.key')));
  return {
    jwtKey: new TextEncoder().encode(requireLength('JWT_SECRET', jwt)),
    operatorKey: requireLength('OPERATOR_KEY', operatorKey ?? (await keyFromFile(join(dataDir, 'operator.key')))),
  };
}

function requireLength(name: string, key: string): string {
  if (Buffer.byteLength(key) < 32) throw new Error(`${name} must have at least 32 bytes`);
  return key;
}

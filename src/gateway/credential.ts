import { inspect } from 'node:util';
import { apiKeyPrefix } from '../shared/http/api-key-prefix.js';

/** Bytes of a credential, at most. API keys have 77, member tokens less than 1,000. */
const maxLength = 4096;

/** The secret that a caller sends. Opaque: however it is printed, the secret does not show. */
export class Credential {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** The `Authorization` header for the service. The secret leaves this object in no other way, but for a hash. */
  authorization(): string {
    return `Bearer ${this.#secret}`;
  }

  /** What stands for the secret where calls are counted. */
  hashedBy(hash: (secret: string) => string): string {
    return hash(this.#secret);
  }

  /** Whether it has the form of an API key. If not it is a token, good or bad. */
  isApiKey(): boolean {
    return this.#secret.startsWith(apiKeyPrefix);
  }

  toString(): string {
    return '[credential]';
  }

  toJSON(): string {
    return this.toString();
  }

  [inspect.custom](): string {
    return this.toString();
  }
}

/** A bare key or token as a credential. Null where it cannot be one: blank, too long, or not visible ASCII. */
export function toCredential(secret: string): Credential | null {
  return secret.length <= maxLength && /^[\x21-\x7e]+$/.test(secret) ? new Credential(secret) : null;
}

type CredentialHeaders = Readonly<Record<'authorization' | 'serviceKey', string | undefined>>;

/** `Authorization: Bearer ...` wins over `X-Service-Key` even if malformed: no caller is served as somebody else. */
export function readCredential({ authorization, serviceKey }: CredentialHeaders): Credential | null {
  if (authorization === undefined) return serviceKey === undefined ? null : toCredential(serviceKey);
  const [, secret] = /^Bearer +(\S+)$/i.exec(authorization.slice(0, maxLength + 1)) ?? [];
  return authorization.length > maxLength || secret === undefined ? null : toCredential(secret);
}

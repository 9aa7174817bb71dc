import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { apiKeyPrefix } from '../shared/http/api-key-prefix.js';
import { type ForwardedCaller, readAddress, readRequestId, readUserAgent } from '../shared/http/forwarded-caller.js';

/** W3C Trace Context, as it travels in headers and in MCP's `_meta`. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate: string | undefined;
}

/** A trace context from outside: null unless the parent is well formed; an ill-formed state alone is dropped (W3C Trace Context, 4.3). */
export function readTraceContext(traceparent: unknown, tracestate: unknown): TraceContext | null {
  if (typeof traceparent !== 'string' || !/^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/.test(traceparent))
    return null;
  const sane = typeof tracestate === 'string' && /^[\x20-\x7e]{1,512}$/.test(tracestate);
  return { traceparent, tracestate: sane ? tracestate : undefined };
}

/** The caller of a request. The gateway only checks that a credential is there; the service decides what it may do. */
export interface Caller {
  readonly credential: Credential | null;
  readonly requestId: string;
  readonly trace: TraceContext | null;
  /** Puts fields such as `RateLimit` into the answer's header, where the transport has one. */
  readonly showLimits?: ((fields: Readonly<Record<string, string>>) => void) | undefined;
  /** The caller's IP address; null over stdio. */
  readonly address: string | null;
  /** The program that calls, as it says itself. */
  readonly userAgent: string | null;
  /** `X-Organisation`: the id of that one of a person's organisations that is meant. */
  readonly organisation: string | undefined;
}

/** Where `giveAddress` leaves the caller's address for `readCaller`: MCP's handler passes on nothing but headers. */
export const callerAddressHeader = 'x-postern-caller-address';

/** What is no id stays one that nobody has: the call must not go to another organisation than the one that was meant. */
function readOrganisation(text: string | undefined): string | undefined {
  return text?.replace(/[^\x21-\x7e]/g, '?').slice(0, 100);
}

type ReadHeader = (name: string) => string | undefined;

/** A caller, and the transport. */
export interface FacedCaller extends Caller {
  readonly face: 'trpc' | 'mcp';
}

/** What the service gets to know of where a call comes from. */
export function fromOf({ address, userAgent, face }: FacedCaller): ForwardedCaller {
  return { address, userAgent, door: face === 'mcp' ? 'mcp' : 'api' };
}

export function readCaller(header: ReadHeader, showLimits?: Caller['showLimits']): Caller {
  return {
    showLimits,
    credential: readCredential({ authorization: header('authorization'), serviceKey: header('x-service-key') }),
    requestId: readRequestId(header('x-request-id')),
    trace: readTraceContext(header('traceparent'), header('tracestate')),
    address: readAddress(header(callerAddressHeader)),
    userAgent: readUserAgent(header('user-agent')),
    organisation: readOrganisation(header('x-organisation')),
  };
}

/** Sets fields of an answer's header; not those of a stream that has begun. */
export function fieldsInto(res: ServerResponse | undefined): Caller['showLimits'] {
  return (fields) => {
    if (res?.headersSent !== false) return;
    for (const [name, value] of Object.entries(fields)) res.setHeader(name, value);
  };
}

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

  /** A hash that stands for the secret where calls are counted. */
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

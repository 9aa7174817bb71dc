import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import * as z from 'zod';

/** Who asks a gateway, as it tells its service: JSON in base64url, a point, and the HMAC of that in hex. */
export const forwardedCallerHeader = 'x-postern-caller';

/** Characters of a user agent that are kept. */
const maxAgentLength = 200;

const forwardedCaller = z.object({
  /** An IP address. */
  address: z.string().refine(isAddress).nullable(),
  userAgent: z.string().max(maxAgentLength).nullable(),
  /** /mcp, or /trpc and /api. */
  door: z.enum(['mcp', 'api']),
});
export type ForwardedCaller = z.output<typeof forwardedCaller>;

/** The headers that tell the service who asks. */
export type CallerHeaders = (caller: ForwardedCaller) => Readonly<Record<string, string>>;

/** An IP address without the form that IPv4 has on an IPv6 socket; null for anything else. */
export function readAddress(text: string | undefined): string | null {
  const address = (text ?? '').replace(/^::ffff:(?=\d+\.)/i, '');
  return isAddress(address) ? address : null;
}

function isAddress(text: string): boolean {
  return isIP(text) !== 0;
}

/** A `User-Agent`, cut to what is kept and without what is not visible ASCII; null where nothing is left. */
export function readUserAgent(header: string | undefined): string | null {
  const text = (header ?? '').replace(/[^\x20-\x7e]+/g, ' ').trim();
  return text === '' ? null : text.slice(0, maxAgentLength).trimEnd();
}

/**
 * For a service that has the same secret. The secret itself is never sent: what a reader of the traffic could reuse is what one caller's
 * request says of him.
 */
export function signedCaller(secret: string): CallerHeaders {
  return (caller) => {
    const text = Buffer.from(JSON.stringify(caller)).toString('base64url');
    return { [forwardedCallerHeader]: `${text}.${signatureOf(secret, text).toString('hex')}` };
  };
}

/** For a service without the secret, which believes the address or not by its own TRUST_PROXY, and nothing else. */
export const forwardedAddress: CallerHeaders = ({ address }) =>
  address === null ? {} : { 'x-forwarded-for': address };

/** What a holder of the secret has signed; null for any other header. */
export function readSignedCaller(secret: string, header: string | undefined): ForwardedCaller | null {
  const [, text, signature] = /^([\w-]{1,2000})\.([0-9a-f]{64})$/.exec(header ?? '') ?? [];
  if (text === undefined || signature === undefined) return null;
  if (!timingSafeEqual(Buffer.from(signature, 'hex'), signatureOf(secret, text))) return null;
  return forwardedCaller.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString())).data ?? null;
}

function signatureOf(secret: string, text: string): Buffer {
  return createHmac('sha256', secret).update(`postern caller\n${text}`).digest();
}

export const requestIdHeader = 'x-request-id';

/** The request id that a caller sent where it is safe in log lines, audit rows and headers, else a new one. */
export function readRequestId(sent: string | undefined): string {
  return sent !== undefined && /^[A-Za-z0-9._-]{1,64}$/.test(sent) ? sent : randomUUID();
}

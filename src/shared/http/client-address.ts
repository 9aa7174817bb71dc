import { createHmac, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';

/** The caller's address, from a gateway to its service: the address, a blank, and its HMAC in hex. */
export const clientAddressHeader = 'x-postern-client-address';

/** The headers that tell the service where a call came from. */
export type AddressHeaders = (address: string) => Readonly<Record<string, string>>;

/** An IP address without the form that IPv4 has on an IPv6 socket; null for anything else. */
export function readAddress(text: string | undefined): string | null {
  const address = (text ?? '').replace(/^::ffff:(?=\d+\.)/i, '');
  return isIP(address) === 0 ? null : address;
}

/**
 * For a service that has the same secret. The secret itself is never sent: what a reader of the traffic could reuse is one
 * caller's address.
 */
export function signedAddress(secret: string): AddressHeaders {
  return (address) => ({ [clientAddressHeader]: `${address} ${signatureOf(secret, address).toString('hex')}` });
}

/** For a service without the secret, which believes it or not by its own TRUST_PROXY. */
export const forwardedAddress: AddressHeaders = (address) => ({ 'x-forwarded-for': address });

/** The address that a holder of the secret has signed; null for any other header. */
export function readSignedAddress(secret: string, header: string | undefined): string | null {
  const [, text, signature] = /^(\S{1,64}) ([0-9a-f]{64})$/.exec(header ?? '') ?? [];
  const address = readAddress(text);
  if (address === null || signature === undefined) return null;
  return timingSafeEqual(Buffer.from(signature, 'hex'), signatureOf(secret, address)) ? address : null;
}

function signatureOf(secret: string, address: string): Buffer {
  return createHmac('sha256', secret).update(`postern client address\n${address}`).digest();
}

import type { Request } from 'express';
import { clientAddressHeader, readAddress, readSignedAddress } from '../../shared/http/client-address.js';

/** The setting of the Express app that holds the secret which it shares with its gateway. */
export const gatewaySecretSetting = 'gateway secret';

/**
 * The IP address that a request came from: what its own gateway has signed, or else the connection's other end by the rules
 * of `trust proxy`. Null where a proxy's header holds something else.
 */
export function addressOf(req: Request): string | null {
  const secret: unknown = req.app.get(gatewaySecretSetting);
  const signed = typeof secret === 'string' ? readSignedAddress(secret, req.get(clientAddressHeader)) : null;
  return signed ?? readAddress(req.ip);
}

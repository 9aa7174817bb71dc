import type { Request, Response } from 'express';
import {
  type ForwardedCaller,
  forwardedCallerHeader,
  readAddress,
  readSignedCaller,
  readUserAgent,
} from '../../shared/http/forwarded-caller.js';
import { requestIdOf } from './request-id.js';

/** The setting of the Express app that holds the secret which it shares with its gateway. */
export const gatewaySecretSetting = 'gateway secret';

/**
 * Where a request came from: what its own gateway has signed, or else the connection's other end by the rules of `trust proxy`. The
 * address is null where a proxy's header holds something else.
 */
export function fromOf(req: Request): ForwardedCaller {
  const secret: unknown = req.app.get(gatewaySecretSetting);
  const signed = typeof secret === 'string' ? readSignedCaller(secret, req.get(forwardedCallerHeader)) : null;
  return signed ?? { address: readAddress(req.ip), userAgent: readUserAgent(req.get('user-agent')), door: 'api' };
}

/** The IP address that a request came from. */
export function addressOf(req: Request): string | null {
  return fromOf(req).address;
}

/** What an entry of the audit log has of a request. */
export function originOf(req: Request, res: Response) {
  const { address: ip, userAgent: device } = fromOf(req);
  return { ip, device, requestId: requestIdOf(res) };
}

import { isIP } from 'node:net';
import type { Request } from 'express';

/** The IP address that a request came from; null where a proxy's header holds something else. */
export function addressOf(req: Request): string | null {
  const address = (req.ip ?? '').replace(/^::ffff:(?=\d+\.)/i, '');
  return isIP(address) === 0 ? null : address;
}

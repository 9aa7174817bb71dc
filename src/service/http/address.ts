import { isIP } from 'node:net';
import type { Request } from 'express';

/** Where a request came from: an IP address, or null where a proxy's header claims something else. */
export function addressOf(req: Request): string | null {
  const address = (req.ip ?? '').replace(/^::ffff:(?=\d+\.)/i, '');
  return isIP(address) === 0 ? null : address;
}

import { randomUUID } from 'node:crypto';

export const requestIdHeader = 'x-request-id';

/** The request id that a caller sent where it is safe in log lines, audit rows and headers, else a new one. */
export function readRequestId(sent: string | undefined): string {
  return sent !== undefined && /^[A-Za-z0-9._-]{1,64}$/.test(sent) ? sent : randomUUID();
}

import type { Server } from 'node:http';

interface ShutdownOptions {
  readonly server: Server;
  /** What to close, in this order, once no request runs. */
  readonly closers: ReadonlyArray<() => Promise<unknown>>;
  /** How long running requests may still take. Then they are cut off. */
  readonly graceMs?: number;
}

/** Accepts no new requests, lets running ones finish, then closes the rest. Says whether all finished in time. */
export async function shutDown({
  server,
  closers,
  graceMs = 10_000,
}: ShutdownOptions): Promise<'finished' | 'cut off'> {
  let result: 'finished' | 'cut off' = 'finished';
  const grace = setTimeout(() => {
    result = 'cut off';
    server.closeAllConnections();
  }, graceMs);
  // A kept-alive connection becomes idle when its request ends. It would keep the server open until it times out.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearTimeout(grace);
  clearInterval(sweep);
  for (const close of closers) await close();
  return result;
}

import type { Server } from 'node:http';

interface ShutdownOptions {
  readonly server: Server;
  /** What to close once no request runs any more, in this order. */
  readonly closers: ReadonlyArray<() => Promise<unknown>>;
  /** How long running requests may take; then they are cut off. */
  readonly graceMs?: number;
}

/** Stops accepting, lets what runs finish, then closes the rest. Answers whether everything finished in time. */
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
  // A kept-alive connection goes idle when its request ends, and would hold the server open until it times out.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearTimeout(grace);
  clearInterval(sweep);
  for (const close of closers) await close();
  return result;
}

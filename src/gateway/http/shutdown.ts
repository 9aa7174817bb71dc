import type { Server } from 'node:http';
import { setTimeout } from 'node:timers/promises';

interface ShutdownOptions {
  readonly server: Server;
  /** Called first: readiness ends, and answers ask their connections to close. */
  readonly drain?: () => void;
  /** How long requests are still accepted after that, so that a balancer can notice. */
  readonly drainMs?: number;
  /** Ends the draining early. */
  readonly signal?: AbortSignal;
  /** What to close, in this order, once no request runs. */
  readonly closers: ReadonlyArray<() => Promise<unknown>>;
  /** How long running requests may still take. Then they are cut off. */
  readonly graceMs?: number;
}

/**
 * Says that it is not ready, accepts requests for as long as a balancer needs to notice, then no new connections. Running
 * requests may finish. A connection that is kept alive closes after its answer, or when it has been idle. Says whether all
 * finished in time.
 */
export async function shutDown({
  server,
  drain,
  drainMs = 0,
  signal,
  closers,
  graceMs = 10_000,
}: ShutdownOptions): Promise<'finished' | 'cut off'> {
  drain?.();
  if (drainMs > 0) await setTimeout(drainMs, undefined, { ...(signal !== undefined && { signal }) }).catch(() => {});
  let result: 'finished' | 'cut off' = 'finished';
  const grace = globalThis.setTimeout(() => {
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

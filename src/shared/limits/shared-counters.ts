import type { RedisClientType } from '@redis/client';

/** Counts in Redis, which all instances share. */
export interface SharedCounters {
  readonly client: Pick<RedisClientType, 'eval' | 'multi' | 'isReady'>;
  readonly close: () => Promise<void>;
}

const connectTimeoutMs = 2_000;

/** A connection without an answer for this long, pings included, is lost. Calls then no longer wait for Redis. */
const silenceMs = 3_000;
const pingIntervalMs = 1_000;

/** The wait before a further try to connect doubles from 100 ms up to this. */
const maxReconnectDelayMs = 5_000;

/**
 * Connects to Redis, now and whenever the connection is lost, without being waited for. `report` gets the name of an error and
 * never its message, which may repeat the URL.
 */
export async function openSharedCounters(url: string, report: (kind: string) => void): Promise<SharedCounters> {
  // Loaded only where it is used.
  const { createClient } = await import('@redis/client');
  const client = createClient({
    url,
    disableOfflineQueue: true,
    pingInterval: pingIntervalMs,
    socket: {
      connectTimeout: connectTimeoutMs,
      socketTimeout: silenceMs,
      reconnectStrategy: (tries) => Math.min(maxReconnectDelayMs, 100 * 2 ** Math.min(tries, 10)),
    },
  });
  let reported = false;
  client.on('ready', () => {
    reported = false;
  });
  client.on('error', (error: unknown) => {
    // Once for each loss: the client tries again every few seconds.
    if (!reported) report(error instanceof Error ? error.name : 'unknown');
    reported = true;
  });
  client.connect().catch(() => undefined);
  return { client, close: async () => client.destroy() };
}

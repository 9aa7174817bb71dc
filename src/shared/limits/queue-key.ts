import type { TypicalDuration } from './typical-duration.js';

/** A piece of work that waits. */
export interface Waiting {
  readonly arrival: number;
  readonly places: number;
  readonly yields: boolean;
  readonly start: () => void;
  readonly refuse: () => void;
}

/** The work of one key of a queue: of an organisation, a credential, an address or a connection. */
export interface QueueKey {
  /** Places that its work takes. */
  running: number;
  readonly waiting: Set<Waiting>;
  /** `performance.now()` at the end of its last piece of work. */
  endedAt: number;
  /** The share that the key has had, in milliseconds or in pieces of work. A key that was idle is never behind those at work. */
  used: number;
  /**
   * How long a piece of its work takes, times its places; undefined before one has ended. Keys do different work, so
   * they have no common average.
   */
  duration: TypicalDuration | undefined;
}

export function newKey(used: number): QueueKey {
  return { running: 0, waiting: new Set(), endedAt: 0, used, duration: undefined };
}

export function isIdle({ running, waiting }: QueueKey): boolean {
  return running === 0 && waiting.size === 0;
}

/**
 * The key with the smallest share of those that have work waiting and a free place. Of two with the same share, the one
 * that came first.
 */
export function nextKey(waiting: Iterable<QueueKey>, isFree: (key: QueueKey) => boolean): QueueKey | undefined {
  let best: { readonly key: QueueKey; readonly arrival: number } | undefined;
  for (const key of waiting) {
    const [first] = key.waiting;
    if (first === undefined || !isFree(key)) continue;
    const isEarlier = first.arrival < (best?.arrival ?? 0);
    const used = best?.key.used ?? Number.POSITIVE_INFINITY;
    if (key.used < used || (key.used === used && isEarlier)) best = { key, arrival: first.arrival };
  }
  return best?.key;
}

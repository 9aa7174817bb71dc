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

/** How many of the newest durations are looked at. */
const remembered = 9;

/**
 * How long work typically takes, in milliseconds: the median of the newest nine durations, where those that are not known yet
 * count as 0. So one long piece of work, as the first one of a lane often is, says nothing of those that follow, and five do.
 */
export class TypicalDuration {
  readonly #newest: number[] = [];
  #ms = 0;

  get ms(): number {
    return this.#ms;
  }

  add(ms: number): void {
    this.#newest.push(ms);
    if (this.#newest.length > remembered) this.#newest.shift();
    const unknown = remembered - this.#newest.length;
    const sorted = this.#newest.toSorted((a, b) => a - b);
    this.#ms = sorted[(remembered - 1) / 2 - unknown] ?? 0;
  }
}

export interface FairQueueOptions {
  /** The work, for messages, as `requests`. */
  readonly name: string;
  /** Pieces of work that run at once, in all. Absent: any number. */
  readonly maxRunning?: number;
  /** Those of one key. Absent: as many as in all. */
  readonly maxRunningPerKey?: number;
  /** Whether keys share the time of their work, or begin one piece each in turn, however long it takes. By default `time`. */
  readonly shares?: 'time' | 'pieces';
  /** Milliseconds that work may wait. Work whose wait is estimated to be longer is refused when it arrives. Absent: any time. */
  readonly maxWaitMs?: number;
  /** Pieces of work that wait, in all. It bounds the memory. Absent: any number. */
  readonly maxWaiting?: number;
  /** Those of one key. */
  readonly maxWaitingPerKey?: number;
  /** Whether a full queue takes work of a key with few waiting pieces, and refuses the last piece of the key with the most. */
  readonly displaces?: boolean;
  /** Milliseconds that work which yields waits for keys with a smaller share. By default 0. */
  readonly graceMs?: number;
  /** The text of a refusal. By default it says that too many pieces of this work are waiting. */
  readonly refusal?: string;
  /** The least and the most seconds after which refused work may come again. */
  readonly retryAfterSeconds?: readonly [least: number, most: number];
}

/** How one piece of work waits. */
export interface Wait {
  /** Ends the wait, as when the caller has disconnected. */
  readonly signal?: AbortSignal;
  /** Replaces that of the queue. */
  readonly maxWaitMs?: number;
  /** How many places it takes while it runs; 1 if absent. It begins where one is free. */
  readonly places?: number;
  /** It is long, and waits a moment for a key with a smaller share whose work has just ended: more of it may be on its way. */
  readonly yields?: boolean;
}

import {
  type FairQueueOptions,
  isIdle,
  newKey,
  nextKey,
  type QueueKey,
  TypicalDuration,
  type Wait,
  type Waiting,
} from './queue-key.js';
import { Refusal } from './refusal.js';

/** Idle keys that are remembered because they have had a larger share than others. */
const maxIdleKeys = 1_000;

/** By default at least two seconds, so that no client comes again within the second in which the queue was full. */
const usualRetryAfter = [2, Number.POSITIVE_INFINITY] as const;

/**
 * Limits how much work runs at once, and shares it fairly between keys (organisations, credentials, addresses). The key with the
 * smallest share is next, measured by how long its work ran. So a key with a thousand pieces of work waiting delays the first piece
 * of another key by what runs at present, and not by the thousand. Work of one key runs in order of arrival. This is start-time fair
 * queueing (Goyal, Vin, Cheng 1996), with measured instead of announced lengths.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly #keys = new Map<string, QueueKey>();
  /** The keys that have work waiting. */
  readonly #queued = new Set<QueueKey>();
  /** The usual duration over all keys. It stands for a key until work of its own has ended. */
  readonly #duration = new TypicalDuration();
  #running = 0;
  #waiting = 0;
  #arrivals = 0;
  /** The share that the key of the last started work had had. */
  #clock = 0;
  #graceTimer: NodeJS.Timeout | undefined;

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  /** Places that are taken, and pieces of work that wait. */
  get load(): { readonly running: number; readonly waiting: number } {
    return { running: this.#running, waiting: this.#waiting };
  }

  /** Runs work when its key is next. Throws `Refusal` (`busy`) where the queue is too long. */
  async run<T>(key: string, work: () => Promise<T>, wait: Wait = {}): Promise<T> {
    const end = await this.acquire(key, wait);
    try {
      return await work();
    } finally {
      end();
    }
  }

  /** Begins at once, or throws `Refusal` (`rate_limited`). The returned function ends the work; further calls of it do nothing. */
  enter(name: string): () => void {
    const key = this.#keyOf(name);
    if (this.#isFree(key)) return this.#begin(key, 1);
    const { maxRunning, maxRunningPerKey = maxRunning, name: what } = this.#options;
    throw new Refusal('rate_limited', `more than ${maxRunningPerKey} ${what}`, 1);
  }

  /** Waits until its key is next. The returned function ends the work; further calls of it do nothing. */
  async acquire(name: string, wait: Wait = {}): Promise<() => void> {
    const key = this.#keyOf(name);
    const { places = 1, yields = false } = wait;
    if (this.#isFree(key) && key.waiting.size === 0 && !(yields && this.#awaitsOther(key))) {
      return this.#begin(key, places);
    }
    this.#requireRoom(key, wait.maxWaitMs);
    const begun = this.#wait(key, wait);
    // Nothing may be running, while another key is waited for.
    this.#startNext();
    return begun;
  }

  /** Throws the `Refusal` of `acquire`, where that would refuse work on its arrival because others of its key wait. */
  requireRoom(name: string): void {
    const key = this.#keys.get(name);
    if (key !== undefined && key.waiting.size > 0) this.#requireRoom(key);
  }

  #requireRoom(key: QueueKey, maxWaitMs = this.#options.maxWaitMs ?? Number.POSITIVE_INFINITY): void {
    const { maxWaiting = Number.POSITIVE_INFINITY, maxWaitingPerKey = Number.POSITIVE_INFINITY } = this.#options;
    const waitMs = maxWaitMs === Number.POSITIVE_INFINITY ? 0 : this.#estimatedWaitMs(key);
    if (waitMs > maxWaitMs || key.waiting.size >= maxWaitingPerKey) throw this.#busy(waitMs);
    if (this.#waiting >= maxWaiting && !this.#displacesFor(key)) throw this.#busy(waitMs);
  }

  /** Refuses the last piece of the key with the most, where that has more than this one would have. */
  #displacesFor(key: QueueKey): boolean {
    if (this.#options.displaces !== true) return false;
    let longest = key;
    for (const other of this.#queued) if (other.waiting.size > longest.waiting.size) longest = other;
    if (longest.waiting.size <= key.waiting.size + 1) return false;
    [...longest.waiting].at(-1)?.refuse();
    return true;
  }

  #keyOf(name: string): QueueKey {
    const known = this.#keys.get(name);
    if (known !== undefined) {
      if (isIdle(known)) known.used = Math.max(known.used, this.#clock);
      return known;
    }
    if (this.#keys.size >= maxIdleKeys) {
      for (const [other, key] of this.#keys) if (isIdle(key)) this.#keys.delete(other);
    }
    const key = newKey(this.#clock);
    this.#keys.set(name, key);
    return key;
  }

  #isFree(key: QueueKey): boolean {
    const { maxRunning = Number.POSITIVE_INFINITY, maxRunningPerKey = maxRunning } = this.#options;
    return this.#running < maxRunning && key.running < maxRunningPerKey;
  }

  #begin(key: QueueKey, places: number): () => void {
    const expected = this.#options.shares === 'pieces' ? places : this.#expectedMs(key);
    this.#clock = Math.max(this.#clock, key.used);
    key.used += expected;
    key.running += places;
    this.#running += places;
    const startedAt = performance.now();
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#end(key, places, startedAt, expected);
    };
  }

  #end(key: QueueKey, places: number, startedAt: number, expected: number): void {
    key.endedAt = performance.now();
    const ms = (key.endedAt - startedAt) * places;
    this.#duration.add(ms);
    key.duration ??= new TypicalDuration();
    key.duration.add(ms);
    // The expected length was charged at the start: of two keys with many places, neither starts all of its work first.
    if (this.#options.shares !== 'pieces') key.used += ms - expected;
    key.running -= places;
    this.#running -= places;
    this.#startNext();
  }

  /** Whether work of another key goes first, should it come now. */
  #awaitsOther(key: QueueKey): boolean {
    const { graceMs = 0 } = this.#options;
    if (graceMs === 0) return false;
    const since = performance.now() - graceMs;
    return [...this.#keys.values()].some((other) => isIdle(other) && other.used < key.used && other.endedAt > since);
  }

  #expectedMs({ duration = this.#duration }: QueueKey): number {
    return duration.ms;
  }

  #startNext(): void {
    clearTimeout(this.#graceTimer);
    const find = () => nextKey(this.#queued, (key) => this.#isFree(key));
    for (let next = find(); next !== undefined; next = find()) {
      const [first] = next.waiting;
      if (first === undefined) return;
      if (first.yields && this.#awaitsOther(next)) {
        this.#graceTimer = setTimeout(() => this.#startNext(), this.#options.graceMs);
        return;
      }
      first.start();
    }
  }

  /** How long the work runs that goes before new work of a key: all that waits of the key itself, and of each other key as much time. */
  #estimatedWaitMs(key: QueueKey): number {
    const own = (key.waiting.size + 1) * this.#expectedMs(key);
    let all = own;
    for (const other of this.#queued) {
      if (other !== key) all += Math.min(other.waiting.size * this.#expectedMs(other), own);
    }
    const { maxRunning = Number.POSITIVE_INFINITY, maxRunningPerKey = maxRunning } = this.#options;
    // The key's own limit may be what it waits for.
    return Math.max(all / maxRunning, own / maxRunningPerKey);
  }

  #wait(key: QueueKey, wait: Wait): Promise<() => void> {
    const {
      signal,
      places = 1,
      yields = false,
      maxWaitMs = this.#options.maxWaitMs ?? Number.POSITIVE_INFINITY,
    } = wait;
    return new Promise((resolve, reject) => {
      const leave = () => {
        if (!key.waiting.delete(waiting)) return;
        if (key.waiting.size === 0) this.#queued.delete(key);
        this.#waiting -= 1;
        clearTimeout(timer);
        signal?.removeEventListener('abort', refuse);
      };
      const refuse = () => {
        leave();
        reject(this.#busy(maxWaitMs));
      };
      const start = () => {
        leave();
        resolve(this.#begin(key, places));
      };
      const waiting: Waiting = { arrival: this.#arrivals, places, yields, start, refuse };
      this.#arrivals += 1;
      const timer = Number.isFinite(maxWaitMs) ? setTimeout(refuse, maxWaitMs) : undefined;
      signal?.addEventListener('abort', refuse, { once: true });
      key.waiting.add(waiting);
      this.#queued.add(key);
      this.#waiting += 1;
      if (signal?.aborted === true) refuse();
    });
  }

  #busy(waitMs: number): Refusal {
    const {
      name,
      refusal = `too many ${name} are waiting already`,
      retryAfterSeconds = usualRetryAfter,
    } = this.#options;
    const [least, most] = retryAfterSeconds;
    return new Refusal('busy', refusal, Math.min(most, Math.max(least, waitMs / 1_000)));
  }
}

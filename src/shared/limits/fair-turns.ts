import { type Lane, nextLane, type Waiting } from './lane.js';
import { Refusal } from './refusal.js';
import { TypicalDuration } from './typical-duration.js';

export interface FairTurnsOptions {
  /** Pieces of work that run at once, in all. */
  readonly maxRunning: number;
  /** Those of one lane. Absent: as many as there are in all. */
  readonly maxRunningPerLane?: number;
  /** How long work may wait, in milliseconds. Work whose line is estimated to take longer is refused when it arrives. */
  readonly maxWaitMs: number;
  /** Pieces of work that wait, in all. It bounds the memory. */
  readonly maxWaiting?: number;
  /** How long work that yields waits for lanes that have had less time, in milliseconds. By default 0. */
  readonly graceMs?: number;
  /** What runs here, for messages, as `requests`. */
  readonly name: string;
}

/** How one piece of work waits. */
export interface Wait {
  /** Ends the wait, as when the caller has left. */
  readonly signal?: AbortSignal;
  /** Instead of that of all work. */
  readonly maxWaitMs?: number;
  /** How many places it takes while it runs; 1 if absent. It begins where one is free. */
  readonly places?: number;
  /** It is long, and waits a moment for a lane that has had less time and whose work has just ended: more may be on its way. */
  readonly yields?: boolean;
}

/** Lanes without work that are remembered because they have had more time than others. */
const maxIdleLanes = 1_000;

/**
 * Limits how much work runs at once, and shares the time fairly between lanes (organisations, credentials). The lane that
 * has had the least time is next, measured by how long its work ran. So a lane with a thousand pieces of work waiting
 * delays the first piece of another lane by what runs at present, and not by the thousand. Within a lane work runs in order
 * of arrival. This is start-time fair queueing (Goyal, Vin, Cheng 1996), with measured instead of announced lengths.
 */
export class FairTurns {
  readonly #options: FairTurnsOptions;
  readonly #lanes = new Map<string, Lane>();
  /** Of all lanes: what a lane is taken for until work of its own has ended. */
  readonly #duration = new TypicalDuration();
  #running = 0;
  #waiting = 0;
  #arrivals = 0;
  /** The time that the lane of the last started work had had. */
  #clockMs = 0;
  #graceTimer: NodeJS.Timeout | undefined;

  constructor(options: FairTurnsOptions) {
    this.#options = options;
  }

  /** Places that are taken, and pieces of work that wait. */
  get load(): { readonly running: number; readonly waiting: number } {
    return { running: this.#running, waiting: this.#waiting };
  }

  /** Runs work in its turn. Throws `Refusal` (`busy`) where the line is too long. */
  async run<T>(lane: string, work: () => Promise<T>, wait: Wait = {}): Promise<T> {
    const release = await this.acquire(lane, wait);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Waits for a turn. The function that it answers ends the turn; further calls of it do nothing. */
  async acquire(name: string, wait: Wait = {}): Promise<() => void> {
    const lane = this.#laneOf(name);
    const { places = 1, yields = false } = wait;
    if (this.#isFree(lane) && lane.waiting.size === 0 && !(yields && this.#awaitsOther(lane))) {
      this.#begin(lane, places);
    } else {
      const waitMs = this.#estimatedWaitMs(lane);
      const { maxWaiting = Number.POSITIVE_INFINITY } = this.#options;
      const { signal, maxWaitMs = this.#options.maxWaitMs } = wait;
      if (waitMs > maxWaitMs || this.#waiting >= maxWaiting) throw this.#busy(waitMs);
      const turn = this.#turn(lane, { places, yields, maxWaitMs }, signal);
      // Nothing may be running, while another lane is waited for.
      this.#startNext();
      await turn;
    }
    const expectedMs = this.#expectedMs(lane);
    const startedAt = performance.now();
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const ms = (performance.now() - startedAt) * places;
      this.#duration.add(ms);
      lane.duration ??= new TypicalDuration();
      lane.duration.add(ms);
      // The expected length was charged at the start: of two lanes with many slots, neither starts all of its work first.
      lane.usedMs += ms - expectedMs;
      lane.endedAt = startedAt + ms / places;
      lane.running -= places;
      this.#running -= places;
      this.#startNext();
    };
  }

  #laneOf(name: string): Lane {
    const known = this.#lanes.get(name);
    if (known !== undefined) {
      if (known.running === 0 && known.waiting.size === 0) known.usedMs = Math.max(known.usedMs, this.#clockMs);
      return known;
    }
    if (this.#lanes.size >= maxIdleLanes) this.#forgetIdleLanes();
    const lane: Lane = { running: 0, waiting: new Set(), endedAt: 0, usedMs: this.#clockMs, duration: undefined };
    this.#lanes.set(name, lane);
    return lane;
  }

  #forgetIdleLanes(): void {
    for (const [name, { running, waiting }] of this.#lanes) {
      if (running === 0 && waiting.size === 0) this.#lanes.delete(name);
    }
  }

  #isFree(lane: Lane): boolean {
    const { maxRunning, maxRunningPerLane = maxRunning } = this.#options;
    return this.#running < maxRunning && lane.running < maxRunningPerLane;
  }

  #begin(lane: Lane, places: number): void {
    this.#clockMs = Math.max(this.#clockMs, lane.usedMs);
    lane.usedMs += this.#expectedMs(lane);
    lane.running += places;
    this.#running += places;
  }

  /** Whether work of another lane goes first, should it come now. */
  #awaitsOther(lane: Lane): boolean {
    const { graceMs = 0 } = this.#options;
    if (graceMs === 0) return false;
    const since = performance.now() - graceMs;
    return [...this.#lanes.values()].some(
      ({ running, waiting, usedMs, endedAt }) =>
        running === 0 && waiting.size === 0 && usedMs < lane.usedMs && endedAt > since,
    );
  }

  #expectedMs({ duration = this.#duration }: Lane): number {
    return duration.ms;
  }

  #startNext(): void {
    clearTimeout(this.#graceTimer);
    const find = () => nextLane(this.#lanes.values(), (lane) => this.#isFree(lane));
    for (let next = find(); next !== undefined; next = find()) {
      const [first] = next.waiting;
      if (first === undefined) return;
      if (first.yields && this.#awaitsOther(next)) {
        this.#graceTimer = setTimeout(() => this.#startNext(), this.#options.graceMs);
        return;
      }
      this.#begin(next, first.places);
      first.start();
    }
  }

  /** What runs before new work of a lane: the lane's own line, and of every other line as much time. */
  #estimatedWaitMs(lane: Lane): number {
    const own = (lane.waiting.size + 1) * this.#expectedMs(lane);
    let all = own;
    for (const other of this.#lanes.values()) {
      if (other !== lane) all += Math.min(other.waiting.size * this.#expectedMs(other), own);
    }
    const { maxRunning, maxRunningPerLane = maxRunning } = this.#options;
    // The lane's own limit may be what it waits for.
    return Math.max(all / maxRunning, own / maxRunningPerLane);
  }

  #turn(
    lane: Lane,
    { places, yields, maxWaitMs }: Required<Omit<Wait, 'signal'>>,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        if (!lane.waiting.delete(waiting)) return;
        this.#waiting -= 1;
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
      };
      const giveUp = () => {
        leave();
        reject(this.#busy(maxWaitMs));
      };
      const waiting: Waiting = {
        arrival: this.#arrivals,
        places,
        yields,
        start: () => {
          leave();
          resolve();
        },
      };
      this.#arrivals += 1;
      const timer = Number.isFinite(maxWaitMs) ? setTimeout(giveUp, maxWaitMs) : undefined;
      signal?.addEventListener('abort', giveUp, { once: true });
      lane.waiting.add(waiting);
      this.#waiting += 1;
      if (signal?.aborted === true) giveUp();
    });
  }

  /** At least 2 s, so that no client repeats it within the second in which the line was full. */
  #busy(waitMs: number): Refusal {
    return new Refusal('busy', `too many ${this.#options.name} are waiting already`, Math.max(2, waitMs / 1_000));
  }
}

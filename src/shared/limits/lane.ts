import type { TypicalDuration } from './typical-duration.js';

export interface Waiting {
  readonly arrival: number;
  readonly start: () => void;
  readonly places: number;
  readonly yields: boolean;
}

/** Work of one organisation, credential or origin. */
export interface Lane {
  /** Places that its work takes. */
  running: number;
  readonly waiting: Set<Waiting>;
  /** When its last piece of work ended, as `performance.now()` tells it. */
  endedAt: number;
  /** Time that the lane has had, in milliseconds; at its return from idleness at least that of the lanes at work. */
  usedMs: number;
  /**
   * How long a piece of its work takes, times its places; undefined before one has ended. Lanes ask different things: an
   * average of all would say little of each.
   */
  duration: TypicalDuration | undefined;
}

/** Of the lanes that have work waiting and a free place, the one that has had the least time. */
export function nextLane(lanes: Iterable<Lane>, isFree: (lane: Lane) => boolean): Lane | undefined {
  let best: { readonly lane: Lane; readonly arrival: number } | undefined;
  for (const lane of lanes) {
    const [first] = lane.waiting;
    if (first === undefined || !isFree(lane)) continue;
    const isEarlier = first.arrival < (best?.arrival ?? 0);
    const used = best?.lane.usedMs ?? Number.POSITIVE_INFINITY;
    if (lane.usedMs < used || (lane.usedMs === used && isEarlier)) best = { lane, arrival: first.arrival };
  }
  return best?.lane;
}

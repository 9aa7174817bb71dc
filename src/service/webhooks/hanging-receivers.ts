import { type Kept, keep } from '../../shared/kept.js';

/** Attempts without an answer, one after the other, after which a receiver is left alone for a while. */
const maxHangs = 3;

const firstPauseMs = 30_000;
const maxPauseMs = 5 * 60_000;

interface Receiver {
  readonly organisationId: string;
  readonly origin: string;
  hangs: number;
  /** In milliseconds since the epoch. */
  pausedUntil: number;
}

/**
 * Receivers that take the whole time of an attempt and do not answer: a circuit breaker for each origin of each organisation.
 * What is due to them waits, without an attempt, for 30 s, then twice as long after each further attempt that hangs, up
 * to 5 minutes. No organisation can pause a receiver of another one. A test notification is sent all the same.
 */
export class HangingReceivers {
  readonly #receivers: Kept<Receiver> = keep('hangingReceivers');

  hung(organisationId: string, origin: string, now: Date): void {
    const key = keyOf(organisationId, origin);
    const receiver = this.#receivers.get(key) ?? { organisationId, origin, hangs: 0, pausedUntil: 0 };
    // Those that began before the pause end in it. They say nothing new.
    if (receiver.pausedUntil > now.getTime()) return;
    receiver.hangs += 1;
    if (receiver.hangs >= maxHangs) {
      const pauseMs = Math.min(maxPauseMs, firstPauseMs * 2 ** (receiver.hangs - maxHangs));
      receiver.pausedUntil = now.getTime() + pauseMs;
    }
    this.#receivers.set(key, receiver);
  }

  /** Whatever it was: it did answer. */
  answered(organisationId: string, origin: string): void {
    this.#receivers.delete(keyOf(organisationId, origin));
  }

  paused(now: Date): readonly { readonly organisationId: string; readonly origin: string }[] {
    return [...this.#receivers.values()].filter(({ pausedUntil }) => pausedUntil > now.getTime());
  }
}

function keyOf(organisationId: string, origin: string): string {
  return `${organisationId} ${origin}`;
}

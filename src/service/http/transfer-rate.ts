import { ApiError } from './api-error.js';

/** How slowly the body of a request may arrive. */
export interface TransferLimits {
  /** Milliseconds from the beginning in which any rate is good enough. */
  readonly graceMs: number;
  /** The rate is the mean of this many milliseconds. */
  readonly windowMs: number;
  readonly bytesPerSecond: number;
  /** Milliseconds for the whole of it. */
  readonly deadlineMs: number;
}

/** Slower than any connection that a build machine or a browser has. Node ends a request after 300 seconds, without a word. */
export const transferLimits: TransferLimits = {
  graceMs: 5_000,
  windowMs: 10_000,
  bytesPerSecond: 4_096,
  deadlineMs: 290_000,
};

/** Looks at the rate so many times in a window. */
const looks = 10;

/** Watches that a body arrives fast enough. A connection that sends a byte a second would else hold its place for minutes. */
export class RateWatch {
  readonly #begun = performance.now();
  readonly #known = [{ at: this.#begun, bytes: 0 }];
  readonly #timer: NodeJS.Timeout;
  #bytes = 0;

  /** @param onSlow gets `too_slow` (408), once */
  constructor(limits: TransferLimits, onSlow: (error: ApiError) => void) {
    const look = () => {
      const what = this.#faultBy(limits);
      if (what === null) return;
      this.end();
      onSlow(new ApiError('too_slow', { detail: `the body ${what}` }));
    };
    this.#timer = setInterval(look, limits.windowMs / looks).unref();
  }

  add(bytes: number): void {
    this.#bytes += bytes;
  }

  end(): void {
    clearInterval(this.#timer);
  }

  #faultBy({ graceMs, bytesPerSecond, deadlineMs }: TransferLimits): string | null {
    const now = performance.now();
    const { at, bytes } = this.#known[0] ?? { at: this.#begun, bytes: 0 };
    this.#known.push({ at: now, bytes: this.#bytes });
    if (this.#known.length > looks) this.#known.shift();
    if (now - this.#begun > deadlineMs) return `did not arrive within ${deadlineMs / 1000} seconds`;
    const rate = ((this.#bytes - bytes) / (now - at)) * 1000;
    return now - this.#begun >= graceMs && rate < bytesPerSecond
      ? `arrived more slowly than ${bytesPerSecond} bytes a second`
      : null;
  }
}

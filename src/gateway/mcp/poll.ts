import type { Watched } from './watched.js';

/** A caller that waits for resources. */
export interface Listener {
  readonly uris: ReadonlyMap<string, Watched>;
  readonly onChange: (uri: string) => void;
  readonly onEnd: () => void;
}

interface PollOptions {
  /** The revision of each; absent for what is not there. */
  readonly read: (watched: readonly Watched[]) => Promise<ReadonlyMap<Watched, string>>;
  /** Whether a failure to read ends all. Another one is waited out. */
  readonly endsIt: (error: unknown) => boolean;
  readonly everyMs: number;
  /** Nobody waits any more. */
  readonly onIdle: () => void;
}

/** After failures the wait doubles, up to this. */
const maxWaitMs = 60_000;

/** One question at a time about all that a caller's connections wait for. */
export class Poll {
  readonly #options: PollOptions;
  readonly #listeners = new Set<Listener>();
  /** The last known revision by URI; null for what is not there. */
  readonly #revisions = new Map<string, string | null>();
  #turn: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #waitMs: number;

  constructor(options: PollOptions) {
    this.#options = options;
    this.#waitMs = options.everyMs;
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  /** How many resources are watched once this listener is there too. */
  watchedWith(listener: Listener): number {
    return new Set([...this.#watched().keys(), ...listener.uris.keys()]).size;
  }

  /** Answers which of its resources are not there. Throws what reading throws. */
  async add(listener: Listener): Promise<string[]> {
    this.#listeners.add(listener);
    try {
      await this.#ask();
    } catch (error) {
      this.remove(listener);
      throw error;
    }
    this.#schedule();
    return [...listener.uris.keys()].filter((uri) => this.#revisions.get(uri) == null);
  }

  remove(listener: Listener): void {
    this.#listeners.delete(listener);
    const watched = this.#watched();
    for (const uri of this.#revisions.keys()) if (!watched.has(uri)) this.#revisions.delete(uri);
    if (this.#listeners.size > 0) return;
    clearTimeout(this.#timer);
    this.#options.onIdle();
  }

  end(): void {
    for (const listener of [...this.#listeners]) {
      this.remove(listener);
      listener.onEnd();
    }
  }

  #watched(): Map<string, Watched> {
    return new Map([...this.#listeners].flatMap(({ uris }) => [...uris]));
  }

  /** After the question that may be under way, which does not know the newest listener. */
  #ask(): Promise<void> {
    const asked = this.#turn.then(() => this.#compare());
    this.#turn = asked.catch(() => undefined);
    return asked;
  }

  async #compare(): Promise<void> {
    const watched = this.#watched();
    if (watched.size === 0) return;
    const found = await this.#options.read([...watched.values()]);
    for (const [uri, each] of watched) {
      const [last, revision] = [this.#revisions.get(uri), found.get(each) ?? null];
      const waiting = [...this.#listeners].filter(({ uris }) => uris.has(uri));
      if (waiting.length === 0) continue;
      this.#revisions.set(uri, revision);
      if (last !== undefined && last !== revision) for (const listener of waiting) listener.onChange(uri);
    }
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#listeners.size === 0) return;
    this.#timer = setTimeout(() => void this.#askAgain(), this.#waitMs).unref();
  }

  async #askAgain(): Promise<void> {
    const { everyMs, endsIt } = this.#options;
    try {
      await this.#ask();
      this.#waitMs = everyMs;
    } catch (error) {
      if (endsIt(error)) return this.end();
      this.#waitMs = Math.min(this.#waitMs * 2, maxWaitMs);
    }
    this.#schedule();
  }
}

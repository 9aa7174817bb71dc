import { isCallable, type Procedure } from '../../procedures/define.js';
import { methodOf } from '../../shared/http/request-parts.js';
import { freezeJson } from '../../shared/json/freeze-json.js';
import type { Caller } from '../auth/caller.js';
import type { Answer } from './answer.js';
import type { Bound } from './perform.js';

/** How long an answer is given again, in milliseconds. What depends on the time is no older than that. */
const keptMs = 1_000;

/** Of all answers and their texts together: characters, and 8 for what has none. */
const maxSize = 32_000_000;

interface Settled {
  readonly answer: Answer;
  readonly size: number;
}

interface Asked {
  readonly revision: number;
  readonly untilMs: number;
  readonly settled: Promise<Settled>;
  /** Zero while it is read. */
  readonly size: number;
}

/** Whether its answers are the same for the same question until something is written. */
export function isRepeatable(procedure: Procedure): boolean {
  const { access, output } = procedure;
  if (!isCallable(procedure)) return false;
  return access === 'read' && !procedure.public && methodOf(procedure) === 'GET' && !('document' in output.shape);
}

/** @param url path and query, as they were sent */
export function questionOf({ name }: Bound, url: string): string {
  return `${name} ${url}`;
}

/**
 * What a caller asks again within a second gets the same answer, where nothing was written meanwhile: pages and agents ask the
 * same again and again, and often at once. An answer belongs to the caller as it was looked up (`CallerCache`), so it is nobody
 * else's, and it ends with the key, the role or the plan. The one that was unused for the longest time is forgotten first.
 */
export class AnswerCache {
  readonly #revision: () => number | null;
  readonly #asked = new Map<string, Asked>();
  readonly #callers = new WeakMap<Caller, number>();
  readonly #texts = new WeakMap<Answer, string>();
  #lastCaller = 0;
  #size = 0;

  /** @param revision of all data (`Database.dataRevision`) */
  constructor(revision: () => number | null) {
    this.#revision = revision;
  }

  /** @param question all that decides the answer for this caller */
  async find(caller: Caller, question: string, ask: () => Promise<Answer>): Promise<Answer> {
    const revision = this.#revision();
    if (revision === null) return (await settled(ask)).answer;
    const key = `${this.#numberOf(caller)} ${question}`;
    const known = this.#take(key);
    if (known !== undefined && known.revision === revision && performance.now() < known.untilMs) {
      this.#put(key, known);
      return (await known.settled).answer;
    }
    const asked: Asked = { revision, untilMs: performance.now() + keptMs, settled: settled(ask), size: 0 };
    this.#put(key, asked);
    try {
      const { answer, size } = await asked.settled;
      // What was written meanwhile may not be in the answer.
      if (this.#forget(key, asked) && this.#revision() === revision)
        this.#put(key, { ...asked, size: size + key.length });
      return answer;
    } catch (error) {
      this.#forget(key, asked);
      throw error;
    }
  }

  /** An answer as JSON; made once for one that is kept. */
  textOf(answer: Answer): string {
    const known = this.#texts.get(answer);
    if (known !== undefined) return known;
    const text = JSON.stringify(answer);
    if (Object.isFrozen(answer)) this.#texts.set(answer, text);
    return text;
  }

  #numberOf(caller: Caller): number {
    const known = this.#callers.get(caller);
    if (known !== undefined) return known;
    this.#lastCaller += 1;
    this.#callers.set(caller, this.#lastCaller);
    return this.#lastCaller;
  }

  #take(key: string): Asked | undefined {
    const asked = this.#asked.get(key);
    if (asked === undefined) return undefined;
    this.#asked.delete(key);
    this.#size -= asked.size;
    return asked;
  }

  /** False where another has taken its place. */
  #forget(key: string, asked: Asked): boolean {
    return this.#asked.get(key) === asked && this.#take(key) !== undefined;
  }

  #put(key: string, asked: Asked): void {
    this.#take(key);
    this.#asked.set(key, asked);
    this.#size += asked.size;
    for (const oldest of this.#asked.keys()) {
      if (this.#size <= maxSize) break;
      this.#take(oldest);
    }
  }
}

async function settled(ask: () => Promise<Answer>): Promise<Settled> {
  const answer = await ask();
  // With its text, which is as long again.
  return { answer, size: freezeJson(answer) * 2 };
}

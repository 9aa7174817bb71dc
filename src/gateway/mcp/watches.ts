import { randomUUID } from 'node:crypto';
import { procedures } from '../../procedures/index.js';
import { maxRevisions } from '../../procedures/revisions.js';
import { createKeyedHash } from '../../shared/limits/keyed-hash.js';
import type { Caller } from '../caller.js';
import { GatewayError, unauthenticated } from '../errors.js';
import type { Execute } from '../execute.js';
import { type Listener, Poll } from './poll.js';
import { type Watched, watchedOf } from './watched.js';

/** Resources of one subscription and of one caller, subscriptions of a caller, and callers. */
export const maxWatched = { ofOne: 50, ofCaller: maxRevisions, subscriptions: 50, callers: 1_000 };

/** A subscription that cannot be. The message says what would be right. */
export class SubscriptionRefused extends Error {
  override readonly name = 'SubscriptionRefused';
}

/** One client's wait for some resources. */
interface Subscription {
  readonly uris: readonly string[];
  readonly onChange: (uri: string) => void;
  /** Nothing more is reported: the credential counts no longer, or the server stops. */
  readonly onEnd: () => void;
}

/**
 * Reports changes of resources to those who wait for them. Each caller's resources are asked about together, with the caller's own
 * credential: what it may not see has no revision, and one that counts no longer ends it.
 */
export class Watches {
  readonly #execute: Execute;
  readonly #everyMs: number;
  readonly #polls = new Map<string, Poll>();
  readonly #hash = createKeyedHash();
  #isClosed = false;

  /** @param everyMs between two questions about a caller's resources */
  constructor(execute: Execute, everyMs = 5_000) {
    this.#execute = execute;
    this.#everyMs = everyMs;
  }

  /**
   * Resolves once changes are noticed; answers what ends it.
   *
   * @throws SubscriptionRefused for a resource that cannot be watched, and for too many
   * @throws GatewayError where the service refuses the caller
   */
  async open(caller: Caller, { uris, onChange, onEnd }: Subscription): Promise<() => void> {
    if (caller.credential === null) throw unauthenticated();
    const watched = uris.map((uri) => watchedOf(uri) ?? refuse(`${uri}: ${whatCan}`));
    if (uris.length > maxWatched.ofOne) refuse(`a subscription takes at most ${maxWatched.ofOne} resources`);
    if (this.#isClosed) refuse('the server is stopping');
    const poll = this.#pollFor(caller);
    const listener: Listener = {
      uris: new Map(uris.map((uri, place) => [uri, watched[place] ?? { kind: 'posture' }])),
      onChange,
      onEnd,
    };
    if (poll.listeners >= maxWatched.subscriptions)
      refuse(`a caller has at most ${maxWatched.subscriptions} subscriptions`);
    if (poll.watchedWith(listener) > maxWatched.ofCaller)
      refuse(`a caller waits for at most ${maxWatched.ofCaller} resources`);
    const missing = await poll.add(listener);
    if (missing.length > 0) {
      poll.remove(listener);
      refuse(`${missing.join(', ')}: not found; projects and alerts are named by their ids`);
    }
    return () => poll.remove(listener);
  }

  /** Ends all. */
  close(): void {
    this.#isClosed = true;
    for (const poll of this.#polls.values()) poll.end();
  }

  #pollFor(caller: Caller): Poll {
    const { credential, organisation = '' } = caller;
    const key = `${credential?.hashedBy(this.#hash)} ${organisation}`;
    const known = this.#polls.get(key);
    if (known !== undefined) return known;
    if (this.#polls.size >= maxWatched.callers) refuse('too many wait already: ask again later');
    const poll = new Poll({
      read: (watched) => this.#read(caller, watched),
      endsIt,
      everyMs: this.#everyMs,
      onIdle: () => {
        if (this.#polls.get(key) === poll) this.#polls.delete(key);
      },
    });
    this.#polls.set(key, poll);
    return poll;
  }

  /** The revision of each; absent for what is not there. */
  async #read(caller: Caller, watched: readonly Watched[]): Promise<ReadonlyMap<Watched, string>> {
    const { getRevisions } = procedures.posture;
    const idsOf = (kind: 'project' | 'alert') => {
      const ids = new Set(watched.flatMap((each) => (each.kind === kind ? [each.id] : [])));
      return ids.size === 0 ? undefined : [...ids].join(',');
    };
    const call = { ...caller, showLimits: undefined, requestId: randomUUID(), trace: null, face: 'mcp' } as const;
    const input = { projects: idsOf('project'), alerts: idsOf('alert') };
    const { wire } = await this.#execute(getRevisions, input, {
      ...call,
      path: 'posture.getRevisions',
      signal: undefined,
    });
    const { posture, projects, alerts } = getRevisions.output.parse(wire);
    const found = { project: projects, alert: alerts };
    const revisionOf = (each: Watched) =>
      each.kind === 'posture' ? posture : found[each.kind].find(({ id }) => id === each.id)?.revision;
    return new Map(
      watched.flatMap((each) => {
        const revision = revisionOf(each);
        return revision === undefined ? [] : [[each, revision] as const];
      }),
    );
  }
}

const whatCan =
  'can be waited for are postern://posture, postern://posture/{project id} and postern://findings/{project id}/dependencies/{alert id}';

function refuse(why: string): never {
  throw new SubscriptionRefused(why);
}

/** Whether a caller must not go on asking. */
function endsIt(error: unknown): boolean {
  return error instanceof GatewayError && (error.code === 'unauthenticated' || error.code === 'forbidden');
}

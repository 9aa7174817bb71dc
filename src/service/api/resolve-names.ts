import type { Procedure } from '../../procedures/define.js';
import type { Caller } from '../auth/caller.js';

/** Where a request names things, besides its body. */
export interface RequestPlaces {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
}

/**
 * Puts ids in the place of names. What names nothing that the caller may see is a 404 with what may have been meant. A request that has
 * ids already costs nothing.
 */
export type ResolveNames = (procedure: Procedure, caller: Caller, places: RequestPlaces) => Promise<RequestPlaces>;

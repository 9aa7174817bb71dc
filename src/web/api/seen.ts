import { useState } from 'react';
import { isPosternError } from '../../client/index.js';

interface Revised {
  readonly revision: number;
}

interface Change {
  readonly error: unknown;
  readonly isPending: boolean;
  readonly reset: () => void;
}

/** Whether an update was refused because somebody else's came before. */
export function isConflict(error: unknown): boolean {
  return isPosternError(error) && error.data.reason === 'revision_mismatch';
}

/**
 * What a form was filled with. A refetch in the background does not change it, so nothing that was typed is lost. After a refused
 * update there is a `conflict` with a newer one to show; whoever saves again has seen it, and `expected` is its revision.
 *
 * @param current as it is in the cache now
 * @param change the update, whose refusal is no error of the form
 */
export function useSeen<Thing extends Revised>(current: Thing, change: Change) {
  const [seen, setSeen] = useState(current);
  const { error, isPending: busy, reset } = change;
  const isRefused = isConflict(error);
  const isOlder = isRefused && current.revision !== seen.revision;
  const onTakeTheirs = () => {
    setSeen(current);
    reset();
  };
  return {
    ...{ seen, setSeen, error: isRefused ? null : error },
    expected: (isOlder ? current : seen).revision,
    /** What is shown of the newer one. */
    conflict: isOlder ? { onTakeTheirs, busy } : null,
  };
}

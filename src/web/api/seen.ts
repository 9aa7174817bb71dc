import { useState } from 'react';
import { isPosternError } from '../../client/index.js';

interface Revised {
  readonly revision: number;
}

/** Whether an update was refused because somebody else's came before. */
export function isConflict(error: unknown): boolean {
  return isPosternError(error) && error.data.reason === 'revision_mismatch';
}

/**
 * What a form was filled with. A refetch in the background does not change it, so nothing that was typed is lost. After a refused
 * update `isOlder` says that there is a newer one to show; whoever saves again has seen it, and `expected` is its revision.
 *
 * @param current as it is in the cache now
 * @param error of the last try to save
 */
export function useSeen<Thing extends Revised>(current: Thing, error: unknown) {
  const [seen, setSeen] = useState(current);
  const isOlder = isConflict(error) && current.revision !== seen.revision;
  return { seen, setSeen, isOlder, expected: (isOlder ? current : seen).revision };
}

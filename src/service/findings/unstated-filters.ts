import type { FindingRow } from './finding-row.js';
import type { Level } from './level.js';
import type { Sighting } from './sightings.js';

type Levelled = Pick<FindingRow, 'state' | 'sightings'> & { readonly level?: Level };

/** The least level that a report shows. Whether it would have shown what lies below, nobody can know. */
export type Floor = Level;

/**
 * The floor of a report. One without findings may have been filtered anywhere: it is read as if it stopped at the highest
 * level that its tool's reports showed until now. What an earlier one may have left out does not count: else one empty
 * report after the other would fix one level after the other.
 */
export function floorOf(shown: readonly Level[], known: readonly Levelled[], tool: string): Floor {
  if (shown.length > 0) {
    return { rank: Math.min(...shown.map(({ rank }) => rank)), fixable: shown.every(({ fixable }) => fixable) };
  }
  const until = known.flatMap(({ level, state, sightings }) =>
    level !== undefined && state !== 'fixed' && isShown(sightings, tool) ? [level] : [],
  );
  if (until.length === 0) return { rank: Number.POSITIVE_INFINITY, fixable: true };
  const rank = until.reduce((highest, each) => Math.max(highest, each.rank), 0);
  return { rank, fixable: until.some(({ fixable }) => fixable) };
}

/** A finding of an earlier version does not say who saw it. */
function isShown(sightings: readonly Sighting[], tool: string): boolean {
  return (
    sightings.length === 0 ||
    sightings.some((each) => each.tool === tool && each.gone === undefined && each.below === undefined)
  );
}

/** Whether a finding that is not in a report lies below what the report shows, so that a filter may have left it out. */
export function isBelow({ level }: Pick<Levelled, 'level'>, floor: Floor): boolean {
  return level !== undefined && (level.rank < floor.rank || (floor.fixable && !level.fixable));
}

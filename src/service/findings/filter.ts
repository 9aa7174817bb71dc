import type { Level } from './level.js';

/** That a tool's report may lack what is there, because the tool was told to leave it out. */
export interface Filter {
  readonly tool: string;
  /** Levels of what the report shows, or says that it looked for. */
  readonly shown: readonly Level[];
  /** Rules that the report says were run. It leaves nothing of theirs out. */
  readonly rules?: ReadonlySet<string>;
  /** All packages of a part, as `name@version`. What was found in another one is gone, whatever is left out. */
  readonly packages?: ReadonlyMap<string, ReadonlySet<string>>;
}

/** A known finding, as far as filters look at it. */
interface Filtered {
  readonly part: string;
  readonly rule_id?: string;
  readonly level?: Level;
}

/** The rank of `critical`, which every filter by severity lets through. */
const highest = 4;

/**
 * Whether a finding that is not in the report may have been left out by the filter. Where the rules that ran are known, that
 * is so for other rules of a severity that none of these has. Else it is so for what is less severe than all that is shown,
 * and for what has no fix where all of it has one. A severity that is not known is in no order: a list of severities names it
 * by itself.
 */
export function isLeftOut({ part, rule_id, level }: Filtered, { shown, rules, packages }: Filter): boolean {
  if (level === undefined || (rule_id !== undefined && rules?.has(rule_id) === true)) return false;
  const installed = packages?.get(part);
  if (installed !== undefined && isGone(level, installed)) return false;
  const isShown = shown.some(({ rank }) => rank === level.rank);
  if (rules !== undefined) return !isShown;
  if (shown.every(({ fixable }) => fixable) && !level.fixable) return true;
  if (level.rank === 0) return !isShown;
  return level.rank < shown.reduce((least, { rank }) => (rank === 0 ? least : Math.min(least, rank)), highest);
}

/** A finding may be of several versions. Of a text that was cut nobody can tell. */
function isGone({ package: named }: Level, installed: ReadonlySet<string>): boolean {
  if (named === undefined || named.name.endsWith('…') || named.version.endsWith('…')) return false;
  return !named.version.split(', ').some((version) => installed.has(`${named.name}@${version}`));
}

import { posix } from 'node:path';
import { groupBy } from './group-by.js';
import { lockfileNames, type NamedKind, namedKinds } from './kinds.js';

interface PassedOver {
  readonly path: string;
  readonly reason: string;
}

/** The lock files to read, and those that are not, each with the reason. */
export interface Choice {
  readonly taken: readonly string[];
  readonly passedOver: readonly PassedOver[];
  /** Of those the ones that may be in use all the same: nothing tells which tool is. */
  readonly rivals: readonly string[];
}

/** A lock file and its kind. */
export interface Candidate {
  readonly path: string;
  readonly kind: NamedKind;
}

/**
 * Of one folder's lock files those of one tool for each ecosystem: the tool that package.json's `packageManager` names,
 * else the first in the order of `kinds`. Of that tool the first name is taken, and every file that matches a pattern.
 */
export function chooseAmong(candidates: readonly Candidate[], manager: string | null): Choice {
  const ordered = candidates.toSorted((a, b) => placeOf(a) - placeOf(b));
  const choices = [...groupBy(ordered, ({ kind }) => kind.ecosystem).values()].map((rivals) => {
    const declared = rivals.find(({ kind }) => kind.tool === manager);
    const first = declared ?? rivals[0];
    const isTaken = ({ path, kind }: Candidate) =>
      path === first.path || (kind.tool === first.kind.tool && kind.patterns !== undefined);
    const why =
      declared === undefined
        ? `nothing tells which is in use, and it is the first of the order ${lockfileNames}`
        : `packageManager of package.json names ${manager}`;
    return {
      taken: rivals.filter(isTaken),
      others: rivals.filter((rival) => !isTaken(rival)),
      reason: `${posix.basename(first.path)} is taken: ${why}`,
      rivals: declared === undefined ? rivals.filter(({ kind }) => kind.tool !== first.kind.tool) : [],
    };
  });
  return {
    taken: choices.flatMap(({ taken }) => taken.map(({ path }) => path)),
    passedOver: choices.flatMap(({ others, reason }) => others.map(({ path }) => ({ path, reason }))),
    rivals: choices.flatMap(({ rivals }) => rivals.map(({ path }) => path)),
  };
}

function placeOf({ path, kind }: Candidate): number {
  const place = namedKinds.findIndex(({ name }) => name === kind.name);
  // The file with the name itself comes before those that match a pattern.
  return posix.basename(path) === kind.name ? place : place + 0.5;
}

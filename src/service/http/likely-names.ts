import { maxLikely } from '../../procedures/problem.js';

/** Characters of a name that are compared letter by letter. */
const maxCompared = 60;

/**
 * The names that somebody who wrote `given` may have meant, the likeliest first: the same letters, a beginning, a part, or a slip
 * of the pen in every fourth letter.
 */
export function likelyNames<Named extends { readonly name: string }>(given: string, all: readonly Named[]): Named[] {
  const wanted = lettersOf(given);
  return all
    .map((named) => ({ named, distance: distanceOf(wanted, lettersOf(named.name)) }))
    .filter(({ distance }) => distance !== null)
    .sort((a, b) => Number(a.distance) - Number(b.distance))
    .slice(0, maxLikely)
    .map(({ named }) => named);
}

/** Letters and digits alone: people write `Node Goat` and `node-goat` for the same thing. */
function lettersOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .slice(0, maxCompared);
}

/** Smaller is likelier; null: not at all. */
function distanceOf(wanted: string, name: string): number | null {
  if (wanted === '' || name === '') return null;
  if (wanted === name) return 0;
  if (name.startsWith(wanted) || wanted.startsWith(name)) return 1;
  const slips = editDistance(wanted, name, Math.max(1, Math.floor(wanted.length / 4)));
  if (slips !== null) return 1 + slips / maxCompared;
  return name.includes(wanted) || wanted.includes(name) ? 3 : null;
}

/** Letters to insert, delete or replace (Levenshtein); null where more than `max`. */
function editDistance(a: string, b: string, max: number): number | null {
  if (Math.abs(a.length - b.length) > max) return null;
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  const distance = row[b.length] ?? 0;
  return distance <= max ? distance : null;
}

import { type RawBuilder, sql } from 'kysely';
import type { Transaction } from '../../db/database.js';
import type { SearchedNamesTable } from '../../db/tables/search.js';

/** A name and what it is the name of. */
type FoundName = Pick<SearchedNamesTable, 'part' | 'name'>;

/** Names that are compared with what is there, at most. */
const maxNames = 1000;

/** The condition that a text contains what is looked for, in any case. */
export function contains(text: RawBuilder<unknown>, needle: string): RawBuilder<boolean> {
  return sql<boolean>`position(${needle} in lower(${text})) > 0`;
}

/** The order of what contains it: the very name first, then what begins with it, then the shorter ones. */
export function nearestFirst(text: RawBuilder<unknown>, needle: string): RawBuilder<unknown> {
  return sql`lower(${text}) <> ${needle}, position(${needle} in lower(${text})) <> 1, length(${text}), ${text} collate "C"`;
}

/**
 * The names of a kind in the organisation of the transaction that contain what is looked for, nearest first. What has the
 * name may be gone, or not the caller's to see.
 *
 * @param needle in lower case
 * @param isThere the condition that the caller sees something with the name of the row `known`
 */
export async function findNames(
  tx: Transaction,
  { kind, needle }: { readonly kind: SearchedNamesTable['kind']; readonly needle: string },
  isThere: RawBuilder<boolean>,
  limit: number,
): Promise<FoundName[]> {
  const { rows } = await sql<FoundName>`
    select part, name from names_containing(${kind}, ${needle}, ${maxNames}) with ordinality as known (part, name, place)
    where ${isThere} order by place limit ${limit}`.execute(tx);
  return rows;
}

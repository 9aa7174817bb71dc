import { type RawBuilder, sql } from 'kysely';
import type { Transaction } from '../../db/database.js';
import type { SearchedNamesTable } from '../../db/tables/search.js';

/** What has a name that is looked for. */
interface Wanted {
  readonly organisationId: string;
  readonly kind: SearchedNamesTable['kind'];
  /** In lower case. */
  readonly needle: string;
}

/** A name and what it is the name of, as `searched_names` has them. */
export type FoundName = Pick<SearchedNamesTable, 'part' | 'name'>;

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
 * The names of a kind that contain what is looked for, nearest first. A name may be of something that is gone.
 *
 * @param isThere the condition that a row called `known` is the name of something
 */
export async function findNames(
  tx: Transaction,
  { organisationId, kind, needle }: Wanted,
  isThere: RawBuilder<boolean>,
  limit: number,
): Promise<FoundName[]> {
  const order = nearestFirst(sql`name`, needle);
  const { rows } = await sql<FoundName>`
    select part, name from (
      select part, name from searched_names
      where organisation_id = ${organisationId} and kind = ${kind}
        and (${contains(sql`name`, needle)} or ${contains(sql`label`, needle)})
      order by ${order}, part limit ${maxNames}
    ) as known
    where ${isThere} order by ${order}, part limit ${limit}`.execute(tx);
  return rows;
}

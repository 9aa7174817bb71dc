import { sql } from 'kysely';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { packageKey } from '../../shared/packages/package-key.js';
import type { Transaction } from '../db/database.js';

/** Records that one answer names; the others are only said to be there. */
const maxNamed = 3;

interface UnreadRecord {
  readonly feed: string;
  readonly at: string;
  readonly problem: string;
}

/**
 * Gaps for one package: records of feeds that could not be read and name it, and feeds about its ecosystem with records
 * that may name anything.
 */
export async function unreadGapsOfPackage(
  tx: Transaction,
  key: { readonly ecosystem: Ecosystem; readonly package_name: string },
): Promise<string[]> {
  const { rows } = await sql<UnreadRecord>`
    select feed, at, problem from unread_records where packages @> ${[packageKey(key)]}::text[]
    order by feed, place limit ${maxNamed}`.execute(tx);
  const about = rows.map(
    ({ feed, at, problem }) => `${feed}, ${at}, is about this package and cannot be read: ${problem}`,
  );
  return [...about, ...(await gapsOfEcosystems(tx, [key.ecosystem], 'unnamed'))];
}

/** Gaps for all packages of these ecosystems: feeds about them with any record that could not be read. */
export function unreadGapsOfEcosystems(tx: Transaction, ecosystems: readonly Ecosystem[]): Promise<string[]> {
  return gapsOfEcosystems(tx, ecosystems, 'all');
}

/** `unnamed`: only records whose packages cannot be read either. */
async function gapsOfEcosystems(
  tx: Transaction,
  ecosystems: readonly Ecosystem[],
  which: 'unnamed' | 'all',
): Promise<string[]> {
  const { rows } = await sql<{ name: string; unread: number; about: Ecosystem[] }>`
    select name, about, case when ${which} = 'all' then unread else unread - counted.named end as unread
    from feeds
    join lateral (
      select count(*) filter (where packages is not null)::integer as named from unread_records where feed = feeds.name
    ) as counted on true
    join lateral (
      select array(select unnest(covers || feeds.named) intersect select unnest(${[...ecosystems]}::text[]) order by 1) as about
    ) as asked on true
    where unread > 0 and cardinality(about) > 0
    order by name`.execute(tx);
  return rows.flatMap(({ name, unread, about }) => {
    const records = unread === 1 ? '1 record' : `${unread} records`;
    return unread > 0 ? `${name}: ${records} cannot be read and may be about any package of ${about.join(', ')}` : [];
  });
}

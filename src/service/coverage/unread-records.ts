import { sql } from 'kysely';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { packageKey } from '../../shared/packages/package-key.js';
import type { Transaction } from '../db/database.js';

/** Records that one answer names; the others are only said to be there. */
const maxNamed = 3;

interface UnreadRecord {
  readonly feed: string;
  readonly at: string;
  readonly field: string;
  readonly problem: string;
}

/** Gaps for one package from records of feeds that could not be read: those that name it, and those that may name any. */
export async function unreadGapsOfPackage(
  tx: Transaction,
  key: { readonly ecosystem: Ecosystem; readonly package_name: string },
): Promise<{ readonly named: readonly string[]; readonly unnamed: readonly string[] }> {
  const { rows } = await sql<UnreadRecord>`
    select feed, at, field, problem from unread_records where packages @> ${[packageKey(key)]}::text[]
    order by feed, place limit ${maxNamed}`.execute(tx);
  return {
    named: rows.map(({ feed, at, field, problem }) => {
      const why = field === '' ? problem : `${field} ${problem}`;
      return `${feed}, ${at} is about this package and cannot be read: ${why}`;
    }),
    unnamed: await unreadGapsOfEcosystems(tx, [key.ecosystem], 'unnamed'),
  };
}

/**
 * Gaps for all packages of these ecosystems: feeds about them with records that could not be read. `unnamed`: only those
 * whose packages cannot be read either.
 */
export async function unreadGapsOfEcosystems(
  tx: Transaction,
  ecosystems: readonly Ecosystem[],
  which: 'all' | 'unnamed' = 'all',
): Promise<string[]> {
  const { rows } = await sql<{ name: string; unread: number; packages_read: number; about: Ecosystem[] }>`
    select name, unread, about, (
      select count(*)::integer from unread_records where feed = feeds.name and packages is not null
    ) as packages_read
    from feeds
    cross join lateral (
      select array(
        select unnest(covers || named) intersect select unnest(${[...ecosystems]}::text[]) order by 1
      ) as about
    ) as asked
    where unread > 0 and cardinality(about) > 0
    order by name`.execute(tx);
  return rows.flatMap(({ name, unread, packages_read, about }) => {
    const count = which === 'all' ? unread : unread - packages_read;
    const records = count === 1 ? '1 record' : `${count} records`;
    return count > 0 ? `${name}: ${records} cannot be read and may be about any package of ${about.join(', ')}` : [];
  });
}

import { sql } from 'kysely';
import { lockIntelligence } from '../alerts/intelligence-lock.js';
import type { PackageKey } from '../alerts/tracked-packages.js';
import type { Transaction } from '../db/database.js';
import type { KevCatalogue } from './kev-source.js';
import { countWritten, type LoadCounts, type WrittenCve } from './load-report.js';
import { packagesAlertedFor } from './touched-packages.js';

/** Deletes entries no longer listed, but not where some could not be read: a missing entry may be one of those. */
export async function writeCatalogue(
  tx: Transaction,
  { entries, bad }: KevCatalogue,
): Promise<{ readonly counts: LoadCounts; readonly packages: readonly PackageKey[] }> {
  await lockIntelligence(tx);
  const cves = entries.map(({ cve }) => cve);
  const { rows: written } = await sql<WrittenCve>`
    insert into kev (cve, date_added, due_date, ransomware)
    select * from unnest(
      ${cves}::text[],
      ${entries.map(({ dateAdded }) => dateAdded)}::date[],
      ${entries.map(({ dueDate }) => dueDate)}::date[],
      ${entries.map(({ ransomware }) => ransomware)}::boolean[])
    on conflict (cve) do update set date_added = excluded.date_added, due_date = excluded.due_date,
      ransomware = excluded.ransomware
    where (kev.date_added, kev.due_date, kev.ransomware)
      is distinct from (excluded.date_added, excluded.due_date, excluded.ransomware)
    returning cve, xmax = 0 as added`.execute(tx);
  const removed =
    bad.length > 0
      ? []
      : (await sql<{ cve: string }>`delete from kev where cve <> all(${cves}::text[]) returning cve`.execute(tx)).rows;
  return {
    packages: await packagesAlertedFor(
      tx,
      [...written, ...removed].map(({ cve }) => cve),
    ),
    counts: {
      ...countWritten(written),
      unchanged: entries.length - written.length,
      removed: removed.length,
      bad: bad.length,
    },
  };
}

import { sql } from 'kysely';
import type { Handlers } from '../api/handler.js';
import { type AuditRow, entryOf } from '../audit/entry.js';
import type { Transaction } from '../db/database.js';

/** Rows that are in memory at once. An entry has a few hundred bytes. */
const batchRows = 500;

/** A place in the log. The time is text: it has microseconds, which a `Date` has not. */
interface Place {
  readonly at: string;
  readonly id: string;
}

interface Range {
  readonly since: Date | undefined;
  readonly until: Date | undefined;
  /** What is written later is not in it: else a log that grows would have no end. */
  readonly end: string;
}

/**
 * All entries up to that of the export itself, oldest first; `since` is included, `until` is not. One whose transaction is still open
 * when the export passes its time is not in it.
 */
export const exportAuditLog: Handlers['organisation']['exportAuditLog'] = async (
  { organisationId, read, audit, send },
  { since, until },
) => {
  const target = { kind: 'organisation', id: organisationId };
  await audit({ action: 'audit.export', target, after: { since: since ?? null, until: until ?? null } });
  const end = await read(now);
  for (let after: Place = { at: '-infinity', id: '' }; ; ) {
    const rows = await read((tx) => rowsAfter(tx, organisationId, { since, until, end }, after));
    await send(rows.map(entryOf));
    const last = rows.at(-1);
    if (last === undefined || rows.length < batchRows) return;
    after = { at: last.exact_at, id: last.id };
  }
};

async function now(tx: Transaction): Promise<string> {
  const { rows } = await sql<{ now: string }>`select now()::text as now`.execute(tx);
  return rows[0]?.now ?? 'infinity';
}

/** By key, so that each batch costs the same. */
async function rowsAfter(
  tx: Transaction,
  organisationId: string,
  { since, until, end }: Range,
  after: Place,
): Promise<(AuditRow & { readonly exact_at: string })[]> {
  let entries = tx
    .selectFrom('audit_log')
    .where('organisation_id', '=', organisationId)
    .where(sql<boolean>`(at, id) > (${after.at}::timestamptz, ${after.id})`)
    .where(sql<boolean>`at <= ${end}::timestamptz`);
  if (since !== undefined) entries = entries.where('at', '>=', since);
  if (until !== undefined) entries = entries.where('at', '<', until);
  return entries
    .selectAll()
    .select(sql<string>`at::text`.as('exact_at'))
    .orderBy('at')
    .orderBy('id')
    .limit(batchRows)
    .execute();
}

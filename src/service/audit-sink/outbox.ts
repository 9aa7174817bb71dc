import { sql } from 'kysely';
import type { AuditRow } from '../audit/entry.js';
import type { Transaction } from '../db/database.js';

/** Entries that are in memory at once. One has a few hundred bytes. */
const batchRows = 200;

/** Far above the time that an attempt to send may take. A process that dies holds the others up as long. */
const leaseSeconds = 30;

/** From now on entries are queued, whoever writes them. */
export async function beginQueue(tx: Transaction, holder: string): Promise<void> {
  await sql`insert into audit_sink (holder, held_until) values (${holder}, now()) on conflict do nothing`.execute(tx);
}

/** From now on none are. Those that are in the queue stay there. */
export async function endQueue(tx: Transaction): Promise<void> {
  await tx.deleteFrom('audit_sink').execute();
}

/**
 * The next entries, in the order in which they were written, but for those that are committed late: these come when they are. Of
 * several processes one gets them, for as long as it goes on asking.
 */
export async function nextEntries(tx: Transaction, holder: string): Promise<AuditRow[]> {
  // An instance without a sink may have ended it meanwhile.
  await beginQueue(tx, holder);
  const held = await sql`
    update audit_sink set holder = ${holder}, held_until = now() + make_interval(secs => ${leaseSeconds}::int)
    where (holder = ${holder} or held_until <= now()) and exists (select from audit_outbox)
    returning 1`.execute(tx);
  if (held.rows.length === 0) return [];
  const { rows } = await sql<AuditRow>`
    select log.* from audit_outbox as waiting
    join audit_log as log on log.organisation_id = waiting.organisation_id and log.id = waiting.entry_id
    order by waiting.ordinal limit ${batchRows}`.execute(tx);
  return rows;
}

/** The sink has these. */
export async function settle(tx: Transaction, entries: readonly AuditRow[]): Promise<void> {
  const organisations = entries.map((entry) => entry.organisation_id);
  await sql`
    delete from audit_outbox using unnest(${organisations}::text[], ${entries.map(({ id }) => id)}::text[]) as sent (organisation_id, id)
    where audit_outbox.organisation_id = sent.organisation_id and audit_outbox.entry_id = sent.id`.execute(tx);
}

/** Another process need not wait for the end of the lease. */
export async function release(tx: Transaction, holder: string): Promise<void> {
  await sql`update audit_sink set held_until = now() where holder = ${holder}`.execute(tx);
}

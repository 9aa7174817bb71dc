import { type Kysely, sql } from 'kysely';
import { escapeIdentifier } from 'pg';
import { hideFromBoundKeys } from './bound-keys.js';
import { protectTenantTable } from './protect-tenant-table.js';

const statements = (schema: string) => [
  // By whose word a member was known, in which session, and the program that asked. Entries of before have none of them.
  'alter table audit_log add column issuer text, add column session_id text, add column device text',
  // While there is a row, entries are queued for the operator's sink. Who holds it sends them.
  `create table audit_sink (
    id integer primary key default 1,
    holder text not null,
    held_until timestamptz not null
  )`,
  // Entries that the sink has not taken. They are deleted from here when it has. The log itself loses none: a foreign key would cost, and
  // protect nothing.
  `create table audit_outbox (
    organisation_id text not null,
    entry_id text not null,
    ordinal bigint not null generated always as identity,
    primary key (organisation_id, entry_id)
  )`,
  'create index audit_outbox_oldest on audit_outbox (ordinal)',
  // A trigger, so that whoever writes to the log queues, the command line too: a position in the log would pass over entries that are
  // committed late.
  `create function queue_audit() returns trigger language plpgsql security definer
    set search_path = ${schema}, pg_temp as $$
    begin
      if exists (select from audit_sink) then
        insert into audit_outbox (organisation_id, entry_id) select organisation_id, id from new_rows order by id;
      end if;
      return null;
    end $$`,
  `create trigger queue_rows after insert on audit_log referencing new table as new_rows
    for each statement execute function queue_audit()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db);
  for (const statement of statements(escapeIdentifier(rows[0]?.schema ?? 'public')))
    await sql.raw(statement).execute(db);
  await protectTenantTable(db, 'audit_outbox', 'select');
  await hideFromBoundKeys(db, 'audit_outbox');
}

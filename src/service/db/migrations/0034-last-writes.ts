import { type Kysely, sql } from 'kysely';
import { hideFromBoundKeys } from './bound-keys.js';
import { protectTenantTable } from './protect-tenant-table.js';

/**
 * How far the write-ahead log was after an organisation's last write. A replica that has come that far shows the write. Kept only where
 * reads may go to a replica.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table last_writes (
    organisation_id text primary key references organisations on delete cascade,
    position pg_lsn not null
  )`.execute(db);
  await protectTenantTable(db, 'last_writes', 'select');
  await hideFromBoundKeys(db, 'last_writes');
}

import { type Kysely, sql } from 'kysely';
import { protectTenantTable } from './protect-tenant-table.js';

const statements = [
  `create table uploads (
    organisation_id text not null,
    id text not null,
    project_id text not null,
    procedure text not null,
    state text not null check (state in ('queued', 'running', 'done', 'failed')),
    phase text not null check (phase in ('waiting', 'reading', 'checking', 'writing')),
    done integer not null,
    steps integer not null,
    answer jsonb,
    problem jsonb,
    key_hash bytea,
    request_hash bytea,
    instance text not null,
    lease_until timestamptz not null,
    received_at timestamptz not null,
    started_at timestamptz,
    finished_at timestamptz,
    primary key (organisation_id, id),
    foreign key (organisation_id, project_id) references projects on delete cascade
  )`,
  // Two requests with one Idempotency-Key are one job.
  `create unique index uploads_under_way on uploads (organisation_id, key_hash) where state in ('queued', 'running')`,
  `create index uploads_leases on uploads (lease_until) where state in ('queued', 'running')`,
  'create index uploads_finished on uploads (finished_at) where finished_at is not null',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
  await protectTenantTable(db, 'uploads', 'select, insert, update');
}

import { type Kysely, sql } from 'kysely';
import { protectTenantTable } from './protect-tenant-table.js';

const statements = [
  `create table webhooks (
    organisation_id text not null,
    id text not null,
    project_id text not null,
    kind text not null check (kind in ('slack', 'googlechat', 'teams', 'discord', 'generic')),
    name text not null,
    url text not null,
    secret bytea,
    events text[] not null,
    enabled boolean not null default true,
    revision integer not null default 1,
    created_at timestamptz not null default now(),
    primary key (organisation_id, id),
    foreign key (organisation_id, project_id) references projects on delete cascade
  )`,
  'create index webhooks_by_name on webhooks (organisation_id, project_id, name, id)',
  `create table webhook_deliveries (
    organisation_id text not null,
    id text not null,
    webhook_id text not null,
    event text not null,
    payload jsonb not null,
    status text not null check (status in ('queued', 'retrying', 'delivered', 'failed')),
    attempts integer not null default 0,
    created_at timestamptz not null default now(),
    attempted_at timestamptz,
    next_attempt_at timestamptz,
    delivered_at timestamptz,
    last_error text,
    primary key (organisation_id, id),
    foreign key (organisation_id, webhook_id) references webhooks on delete cascade
  )`,
  'create index webhook_deliveries_newest on webhook_deliveries (organisation_id, webhook_id, created_at desc, id desc)',
  `create index webhook_deliveries_due on webhook_deliveries (next_attempt_at) where next_attempt_at is not null`,
  'create index webhook_deliveries_oldest on webhook_deliveries (created_at)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
  for (const table of ['webhooks', 'webhook_deliveries']) {
    await protectTenantTable(db, table, 'select, insert, update, delete');
  }
}

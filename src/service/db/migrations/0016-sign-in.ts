import { type Kysely, sql } from 'kysely';
import { bindToProjects, bindToRowsOf, hideFromBoundKeys } from './bound-keys.js';
import { protectTenantTable } from './protect-tenant-table.js';

const statements = [
  // Keys of the service itself. Tenants have no rights here; see record 10.
  `create table service_keys (
    purpose text primary key,
    key text not null,
    wrapped_by text not null,
    created_at timestamptz not null default now()
  )`,
  'alter table sessions add column ip text',
  'alter table api_keys add column expires_at timestamptz, add column project_ids text[]',
  // Sealed values are text. Those that are there are sealed when the service starts, because a migration has no key.
  `alter table webhooks alter column secret type text using encode(secret, 'base64')`,
  `create table password_resets (
    organisation_id text not null,
    member_id text not null,
    id text not null,
    token_hash bytea not null unique,
    created_by text not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    primary key (organisation_id, member_id),
    foreign key (organisation_id, member_id) references members on delete cascade
  )`,
  // Where a member has signed in from: strangers' failures do not lock the member out there.
  `create table known_addresses (
    organisation_id text not null,
    member_id text not null,
    address text not null,
    last_at timestamptz not null default now(),
    primary key (organisation_id, member_id, address),
    foreign key (organisation_id, member_id) references members on delete cascade
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
  await protectTenantTable(db, 'password_resets', 'select, insert, update, delete');
  await protectTenantTable(db, 'known_addresses', 'select');
  for (const table of await projectTables(db)) await bindToProjects(db, table);
  await bindToRowsOf(db, 'webhook_deliveries', 'webhook_id', 'webhooks');
  await bindToRowsOf(db, 'finding_names', 'finding_id', 'findings');
  for (const table of personalTables) await hideFromBoundKeys(db, table);
}

const personalTables = ['members', 'sessions', 'invites', 'api_keys', 'password_resets', 'known_addresses'];

/** Every tenants' table that there is now and whose rows name a project, and the projects. A later migration adds its own. */
async function projectTables(db: Kysely<unknown>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relrowsecurity
      and (c.relname = 'projects' or exists (
        select from pg_attribute a where a.attrelid = c.oid and a.attname = 'project_id' and not a.attisdropped))
    order by 1`.execute(db);
  return rows.map(({ name }) => name);
}

import { type Kysely, sql } from 'kysely';
import { protectTenantTable } from './protect-tenant-table.js';

const tenantTables = [
  'organisations',
  'members',
  'sessions',
  'invites',
  'api_keys',
  'audit_log',
  'idempotency_keys',
  'projects',
  'tech_stack_items',
  'alerts',
];

/** Dates stay text in code (a calendar day has no time zone), `date` in the database. */
const tables = `
create table organisations (
  id text primary key,
  name text not null,
  contact_email text,
  plan text not null check (plan in ('Free', 'Business', 'Enterprise')),
  revision integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table members (
  organisation_id text not null references organisations on delete cascade,
  id text not null,
  email text not null unique check (email = lower(email)),
  name text not null,
  role text not null check (role in ('admin', 'member')),
  password_hash text not null,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz,
  primary key (organisation_id, id)
);

create table sessions (
  organisation_id text not null,
  id text not null unique,
  member_id text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (organisation_id, id),
  foreign key (organisation_id, member_id) references members on delete cascade
);
create index sessions_by_member on sessions (organisation_id, member_id);
create index sessions_by_expiry on sessions (expires_at);

create table invites (
  organisation_id text not null references organisations on delete cascade,
  id text not null,
  email text not null,
  role text not null check (role in ('admin', 'member')),
  token_hash bytea not null unique,
  invited_by text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz,
  primary key (organisation_id, id)
);

create table api_keys (
  organisation_id text not null references organisations on delete cascade,
  id text not null,
  name text not null,
  scope text not null check (scope in ('ReadOnly', 'ReadWrite')),
  key_hash bytea not null unique,
  last_four text not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz,
  primary key (organisation_id, id)
);

create table audit_log (
  organisation_id text not null references organisations,
  id text not null,
  at timestamptz not null default now(),
  actor_kind text not null check (actor_kind in ('member', 'api_key', 'operator', 'system')),
  actor_id text not null,
  actor_name text not null,
  action text not null,
  target_kind text not null,
  target_id text not null,
  before jsonb,
  after jsonb,
  ip text,
  request_id text,
  primary key (organisation_id, id)
);
create index audit_log_newest on audit_log (organisation_id, at desc, id desc);

create table idempotency_keys (
  organisation_id text not null references organisations on delete cascade,
  key_hash bytea not null,
  request_hash bytea not null,
  status integer not null,
  response jsonb,
  created_at timestamptz not null default now(),
  primary key (organisation_id, key_hash)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

create table projects (
  organisation_id text not null references organisations on delete cascade,
  id text not null,
  name text not null,
  description text,
  exposure text not null check (exposure in ('internet', 'internal', 'isolated', 'unknown')),
  repo text,
  revision integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organisation_id, id)
);
create unique index projects_by_name on projects (organisation_id, lower(name));

create table tech_stack_items (
  organisation_id text not null,
  id text not null,
  project_id text not null,
  source text not null,
  ecosystem text not null,
  name text not null,
  package_name text not null,
  version text not null,
  scope text not null check (scope in ('runtime', 'development', 'optional')),
  direct boolean,
  deprecated text,
  revision integer not null default 1,
  added_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organisation_id, id),
  foreign key (organisation_id, project_id) references projects on delete cascade,
  unique (organisation_id, project_id, source, ecosystem, package_name, version)
);
create index tech_stack_items_by_package on tech_stack_items (organisation_id, project_id, ecosystem, package_name);
create index tech_stack_items_by_name on tech_stack_items (organisation_id, project_id, name, version, id);

create table alerts (
  organisation_id text not null,
  id text not null,
  project_id text not null,
  vulnerability_id text not null,
  ecosystem text not null,
  package_name text not null,
  advisory_ids text[] not null,
  cves text[] not null,
  title text not null,
  versions text[] not null,
  safe_version text,
  severity text check (severity in ('low', 'moderate', 'high', 'critical')),
  cvss_version text,
  cvss_score double precision,
  cvss_vector text,
  epss double precision,
  epss_percentile double precision,
  epss_date date,
  kev_added date,
  kev_due date,
  kev_ransomware boolean,
  malicious boolean not null,
  tier text not null check (tier in ('RED', 'YELLOW', 'GREEN')),
  tier_rank smallint not null generated always as (case tier when 'RED' then 0 when 'YELLOW' then 1 else 2 end) stored,
  acknowledged_at timestamptz,
  acknowledged_by text,
  acknowledged_note text,
  first_seen_at timestamptz not null default now(),
  resolved_at timestamptz,
  primary key (organisation_id, id),
  foreign key (organisation_id, project_id) references projects on delete cascade,
  unique (organisation_id, project_id, ecosystem, package_name, vulnerability_id)
);
create index alerts_worst_first on alerts (organisation_id, project_id, (resolved_at is not null), tier_rank, id);
create index alerts_by_cve on alerts using gin (cves);

create table advisories (
  id text primary key,
  modified timestamptz not null,
  published timestamptz,
  withdrawn timestamptz,
  summary text not null,
  cves text[] not null,
  aliases text[] not null,
  severity text check (severity in ('low', 'moderate', 'high', 'critical')),
  cvss_version text,
  cvss_score double precision,
  cvss_vector text,
  malicious boolean not null,
  informational text,
  "references" text[] not null,
  content_hash bytea not null
);

create table advisory_packages (
  advisory_id text not null references advisories on delete cascade,
  ecosystem text not null,
  package_name text not null,
  affected jsonb not null,
  symbols text[] not null,
  primary key (ecosystem, package_name, advisory_id)
);
create index advisory_packages_by_advisory on advisory_packages (advisory_id);

create table epss (
  cve text primary key,
  probability double precision not null,
  percentile double precision not null,
  scored_on date not null,
  model text not null
);

create table kev (
  cve text primary key,
  date_added date not null,
  due_date date,
  ransomware boolean not null
);

create table package_health (
  ecosystem text not null,
  package_name text not null,
  deprecated text,
  unmaintained_since date,
  replacement text,
  source text not null,
  primary key (ecosystem, package_name)
);

create table feeds (
  name text primary key,
  version text,
  published_at timestamptz,
  loaded_at timestamptz not null,
  records integer not null,
  content_hash bytea,
  etag text
);
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db);
  for (const table of tenantTables) {
    await protectTenantTable(db, table, table === 'audit_log' ? 'select, insert' : 'select, insert, update, delete');
  }
  await sql.raw('revoke insert, update, delete on organisations from postern_tenant').execute(db);
  await sql
    .raw('grant update (name, contact_email, revision, updated_at) on organisations to postern_tenant')
    .execute(db);
  await sql
    .raw(`create function refuse_change() returns trigger language plpgsql as
      $$ begin raise exception 'the audit log is append-only'; end $$`)
    .execute(db);
  const refusal = 'on audit_log for each statement execute function refuse_change()';
  await sql.raw(`create trigger append_only before update or delete or truncate ${refusal}`).execute(db);
  await sql
    .raw('grant select on advisories, advisory_packages, epss, kev, package_health, feeds to postern_tenant')
    .execute(db);
}

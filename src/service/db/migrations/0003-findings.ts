import { type Kysely, sql } from 'kysely';
import { protectTenantTable } from './protect-tenant-table.js';

const statements = [
  `create table container_images (
    organisation_id text not null,
    id text not null,
    project_id text not null,
    ref text not null,
    digest text,
    os text,
    monitored boolean not null default false,
    runtime text,
    layers text[] not null,
    labels jsonb not null,
    base_layers integer,
    stood_on boolean not null default false,
    dockerfile_path text,
    dockerfile text,
    scanned_at timestamptz not null,
    primary key (organisation_id, id),
    unique (organisation_id, project_id, ref),
    foreign key (organisation_id, project_id) references projects on delete cascade
  )`,
  `create table dast_targets (
    organisation_id text not null,
    id text not null,
    project_id text not null,
    url text not null,
    name text not null,
    environment text,
    last_scanned_at timestamptz,
    primary key (organisation_id, id),
    unique (organisation_id, project_id, url),
    foreign key (organisation_id, project_id) references projects on delete cascade
  )`,
  `create table scan_jobs (
    organisation_id text not null,
    id text not null,
    project_id text not null,
    domain text not null check (domain in ('code', 'running_app', 'containers')),
    hosted boolean not null default false,
    status text not null check (status in ('queued', 'running', 'done', 'failed')),
    source text not null,
    mode text,
    tool text,
    runner text,
    error text,
    content_hash bytea,
    red integer not null default 0,
    yellow integer not null default 0,
    green integer not null default 0,
    queued_at timestamptz not null,
    started_at timestamptz,
    finished_at timestamptz,
    primary key (organisation_id, id),
    foreign key (organisation_id, project_id) references projects on delete cascade
  )`,
  'create index scan_jobs_newest on scan_jobs (organisation_id, project_id, domain, hosted, queued_at desc, id desc)',
  `create table findings (
    organisation_id text not null,
    id text not null,
    project_id text not null,
    domain text not null check (domain in ('code', 'running_app', 'containers')),
    source text not null,
    tool text not null,
    identity bytea not null,
    rule_id text not null,
    title text not null,
    severity text not null check (severity in ('critical', 'high', 'medium', 'low', 'info')),
    tier text not null check (tier in ('RED', 'YELLOW', 'GREEN')),
    tier_rank smallint not null generated always as (case tier when 'RED' then 0 when 'YELLOW' then 1 else 2 end) stored,
    state text not null check (state in ('open', 'fixed', 'suppressed')),
    state_rank smallint not null
      generated always as (case state when 'open' then 0 when 'suppressed' then 1 else 2 end) stored,
    modes text[] not null default '{}',
    cve text,
    epss double precision,
    kev_added date,
    details jsonb not null,
    first_seen_at timestamptz not null,
    last_seen_at timestamptz not null,
    fixed_at timestamptz,
    primary key (organisation_id, id),
    unique (organisation_id, project_id, domain, source, tool, identity),
    foreign key (organisation_id, project_id) references projects on delete cascade
  )`,
  `create index findings_worst_first on findings (organisation_id, project_id, domain, state_rank, tier_rank, id)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
  for (const table of ['container_images', 'dast_targets', 'scan_jobs', 'findings']) {
    await protectTenantTable(db, table, 'select, insert, update, delete');
  }
}

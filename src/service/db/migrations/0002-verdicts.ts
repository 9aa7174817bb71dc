import { type Kysely, sql } from 'kysely';
import { protectTenantTable } from './protect-tenant-table.js';

const statements = [
  `create table usage_reports (
    organisation_id text not null,
    id text not null,
    project_id text not null,
    ordinal bigint not null generated always as identity,
    content_hash bytea not null,
    analyser text not null,
    generated_at timestamptz not null,
    complete boolean not null,
    report jsonb not null,
    uploaded_by text not null,
    received_at timestamptz not null default now(),
    primary key (organisation_id, id),
    foreign key (organisation_id, project_id) references projects on delete cascade
  )`,
  'create index usage_reports_newest on usage_reports (organisation_id, project_id, ordinal desc)',
  `create table usage_dependencies (
    organisation_id text not null,
    project_id text not null,
    ecosystem text not null,
    package_name text not null,
    version text not null,
    usage text not null,
    scope text not null check (scope in ('runtime', 'development', 'optional')),
    symbols text[] not null,
    sites jsonb not null,
    production_sites integer not null,
    all_sites integer not null,
    paths jsonb not null,
    primary key (organisation_id, project_id, ecosystem, package_name, version),
    foreign key (organisation_id, project_id) references projects on delete cascade
  )`,
  `create table verdicts (
    organisation_id text not null,
    id text not null,
    project_id text not null,
    alert_id text not null,
    machine_score double precision not null,
    machine_band text not null,
    evidence jsonb not null,
    evidence_hash bytea not null,
    computed_at timestamptz not null,
    override_verdict text check (override_verdict in ('NotExploitable', 'Exploitable')),
    override_reason text,
    override_by text,
    override_at timestamptz,
    override_expires_at timestamptz,
    override_signature bytea,
    revision integer not null default 1,
    primary key (organisation_id, id),
    unique (organisation_id, alert_id),
    foreign key (organisation_id, project_id) references projects on delete cascade,
    foreign key (organisation_id, alert_id) references alerts on delete cascade
  )`,
  'create index verdicts_expiring on verdicts (override_expires_at) where override_expires_at is not null',
  // With row-level security, array operators are not used in index conditions, because they are not leakproof. Text
  // equality is. So a tenant finds a CVE's alerts by the ids they can have, and the advisories know these.
  'create index alerts_by_vulnerability on alerts (organisation_id, vulnerability_id)',
  'create index advisories_by_cve on advisories using gin (cves)',
  'alter table alerts add column effective_priority double precision, add column verdict_band text',
  'alter table projects add column verdicts_due_after text',
  'create index projects_with_due_verdicts on projects (organisation_id, id) where verdicts_due_after is not null',
  'drop index alerts_worst_first',
  `create index alerts_worst_first on alerts (organisation_id, project_id, (resolved_at is not null),
    effective_priority desc nulls last, tier_rank, id)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
  await protectTenantTable(db, 'usage_reports', 'select, insert');
  await protectTenantTable(db, 'usage_dependencies', 'select, insert, delete');
  await protectTenantTable(db, 'verdicts', 'select, insert, update');
}

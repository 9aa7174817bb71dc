import { type Kysely, sql } from 'kysely';
import { protectTenantTable } from './protect-tenant-table.js';

/** What a manifest says of one component, besides its name. The same columns for packages and for what no feed matches. */
const manifestColumns = `dependencies text[] not null default '{}', dependencies_known text,
  licences jsonb not null default '[]', hashes jsonb not null default '[]', supplier text`;

const statements = [
  `alter table tech_stack_items add column ${manifestColumns.split(',').join(', add column ')}`,
  `create table stack_sources (
    organisation_id text not null,
    project_id text not null,
    source text not null,
    direct_known text,
    updated_at timestamptz not null default now(),
    primary key (organisation_id, project_id, source),
    foreign key (organisation_id, project_id) references projects on delete cascade
  )`,
  `create table unmatched_components (
    organisation_id text not null,
    project_id text not null,
    source text not null,
    key text not null,
    kind text not null,
    purl text,
    component_group text,
    name text not null,
    version text,
    scope text not null check (scope in ('runtime', 'development', 'optional')),
    direct boolean,
    ${manifestColumns},
    updated_at timestamptz not null default now(),
    primary key (organisation_id, project_id, source, key),
    foreign key (organisation_id, project_id) references projects on delete cascade
  )`,
  `create table reported_vulnerabilities (
    organisation_id text not null,
    id text not null,
    project_id text not null,
    source text not null,
    vulnerability_id text not null,
    aliases text[] not null,
    affects text[] not null,
    packages text[] not null,
    severity text check (severity in ('low', 'moderate', 'high', 'critical')),
    ratings jsonb not null,
    description text,
    recommendation text,
    analysis_state text,
    analysis_detail text,
    updated_at timestamptz not null default now(),
    primary key (organisation_id, id),
    foreign key (organisation_id, project_id) references projects on delete cascade
  )`,
  `create index reported_vulnerabilities_by_id
    on reported_vulnerabilities (organisation_id, project_id, vulnerability_id, id)`,
  'create index reported_vulnerabilities_by_source on reported_vulnerabilities (organisation_id, project_id, source)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
  for (const table of ['stack_sources', 'unmatched_components', 'reported_vulnerabilities']) {
    await protectTenantTable(db, table, 'select, insert, update, delete');
  }
}

import { type Kysely, sql } from 'kysely';
import { escapeIdentifier } from 'pg';
import { bindToGroups } from './bound-keys.js';
import { protectTenantTable } from './protect-tenant-table.js';

/**
 * Groups of projects. That they nest one level deep is kept by those who write them (projects/group-handlers.ts). A webhook is a
 * project's or a group's.
 */
const statements = [
  `create table project_groups (
    organisation_id text not null references organisations on delete cascade,
    id text not null,
    name text not null,
    parent_id text,
    owner_id text,
    revision integer not null default 1,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organisation_id, id),
    foreign key (organisation_id, parent_id) references project_groups on delete set null (parent_id),
    foreign key (organisation_id, owner_id) references members on delete set null (owner_id)
  )`,
  'create unique index project_groups_by_name on project_groups (organisation_id, lower(name))',
  `alter table projects add column group_id text,
    add foreign key (organisation_id, group_id) references project_groups on delete set null (group_id)`,
  // With the id, so that the projects of a group are read from the index alone.
  'create index projects_by_group on projects (organisation_id, group_id, id)',
  `alter table webhooks alter column project_id drop not null, add column group_id text,
    add foreign key (organisation_id, group_id) references project_groups on delete cascade,
    add constraint webhooks_of_one check ((project_id is null) <> (group_id is null))`,
  'create index webhooks_by_group on webhooks (organisation_id, group_id) where group_id is not null',
  // Row-level security does not say that an image is there, so the unique index does not serve: for each project all images were read.
  'create index container_images_of_project on container_images (organisation_id, project_id, ref)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db);
  for (const statement of statements) await sql.raw(statement).execute(db);
  await protectTenantTable(db, 'project_groups', 'select, insert, update, delete');
  for (const { schema } of rows) await bindToGroups(db, 'project_groups', escapeIdentifier(schema));
}

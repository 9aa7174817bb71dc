import { type Kysely, sql } from 'kysely';
import { escapeIdentifier } from 'pg';
import { hideFromBoundKeys, rewriteRules } from './bound-keys.js';
import { protectTenantTable } from './protect-tenant-table.js';

const setting = (name: string) => `current_setting('postern.${name}', true)`;
const organisation = `nullif(${setting('organisation_id')}, '')`;

/**
 * The groups that a bound transaction sees: those that it is bound to or those that its projects are in, and the groups that these
 * are in.
 */
const groupsOfBound = (schema: string) => `
  create or replace function groups_of_bound() returns text[] language plpgsql stable security definer
    set search_path = ${schema}, pg_temp as $$
    begin
      if coalesce(${setting('group_ids')}, '') <> '' then
        return array(
          select unnest(array[id, parent_id]) from project_groups
          where organisation_id = ${organisation} and id = any (string_to_array(${setting('group_ids')}, ','))
        );
      end if;
      return array(
        select unnest(array[held.id, held.parent_id])
        from unnest(string_to_array(${setting('project_ids')}, ',')) as bound (id)
        join projects on projects.organisation_id = ${organisation} and projects.id = bound.id and projects.removed_at is null
        join project_groups as held on held.organisation_id = projects.organisation_id and held.id = projects.group_id
      );
    end $$`;

const statements = (schema: string) => [
  // Roles of members in groups of projects. One in a group counts in the groups in it.
  `create table group_members (
    organisation_id text not null,
    member_id text not null,
    group_id text not null,
    role text not null check (role in ('admin', 'member', 'triager', 'viewer')),
    created_at timestamptz not null default now(),
    primary key (organisation_id, member_id, group_id),
    foreign key (organisation_id, member_id) references members on delete cascade,
    foreign key (organisation_id, group_id) references project_groups on delete cascade
  )`,
  'create index group_members_by_group on group_members (organisation_id, group_id)',
  // What the invited person gets in groups that are still there.
  `alter table invites add column groups jsonb not null default '[]'`,
  // Whoever has a role in a group has it in the groups in it: they are looked for with each request.
  'create index project_groups_by_parent on project_groups (organisation_id, parent_id) where parent_id is not null',
  groupsOfBound(schema),
];

/** Members who see the projects of some groups alone, of which there may be thousands. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db);
  for (const { schema } of rows) {
    for (const statement of statements(escapeIdentifier(schema))) await sql.raw(statement).execute(db);
  }
  await protectTenantTable(db, 'group_members', 'select, insert, update, delete');
  await hideFromBoundKeys(db, 'group_members');
  await rewriteRules(db);
}

import { type Kysely, sql } from 'kysely';

/**
 * What a feed covers, and the records of it that could not be read. A feed loaded before this says nothing about what it
 * covers, so its validator goes: the next sync reads it again. Some databases write the year 1 where they know no date.
 */
const tables = `
alter table feeds
  add column covers text[] not null default '{}',
  add column named text[] not null default '{}',
  add column unread integer not null default 0;
update feeds set etag = null where name like 'osv:%';
update feeds set published_at = null where published_at < '1990-01-01';

create table unread_records (
  feed text not null references feeds on delete cascade,
  place integer not null,
  at text not null,
  field text not null,
  problem text not null,
  packages text[],
  primary key (feed, place)
);
create index unread_records_by_package on unread_records using gin (packages);

create table registry_lookups (
  ecosystem text not null,
  package_name text not null,
  version text not null,
  found text not null,
  looked_up_at timestamptz not null,
  primary key (ecosystem, package_name, version)
);
create index registry_lookups_oldest_first on registry_lookups (looked_up_at);

create index tech_stack_items_by_coordinate on tech_stack_items (organisation_id, ecosystem, package_name);
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db);
  await sql.raw('grant select on unread_records, registry_lookups to postern_tenant').execute(db);
}

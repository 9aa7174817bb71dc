import { type Kysely, sql } from 'kysely';

/**
 * What a registry says of each release, which versions were yanked, and when it failed to answer. Lists that are there say nothing of
 * releases: they count as a day old, so that they are asked for again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table registry_versions add column yanked text[] not null default '{}', add column latest text,
      add column releases text, add column failed_at timestamptz`.execute(db);
  await sql`
    update registry_versions set looked_up_at = looked_up_at - interval '1 day'
    where ecosystem in ('npm', 'crates.io', 'Packagist', 'PyPI')`.execute(db);
  await sql`create index registry_versions_oldest_first on registry_versions (looked_up_at)`.execute(db);
  // As `registries/public-names.ts` asks for them.
  await sql`create index advisory_packages_by_scope on advisory_packages ((ecosystem || ' ' || split_part(package_name, '/', 1)))
    where ecosystem in ('npm', 'Packagist') and package_name like '%/%'`.execute(db);
  await sql`alter table projects add column lists_due_at timestamptz not null default now()`.execute(db);
  await sql`create index projects_by_due_lists on projects (lists_due_at)`.execute(db);
}

import { type Kysely, sql } from 'kysely';

/** All versions that a registry has of a package, so that no version is proposed that was never published. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table registry_versions (
      ecosystem text not null,
      package_name text not null,
      versions text[] not null,
      looked_up_at timestamptz not null,
      primary key (ecosystem, package_name)
    )`.execute(db);
  await sql`grant select on registry_versions to postern_tenant`.execute(db);
}

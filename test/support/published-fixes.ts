import { sql } from 'kysely';
import type { Database } from '../../src/service/db/database.js';
import { ecosystems } from '../../src/shared/packages/ecosystem.js';

/**
 * Makes all advisories of this database whole and fresh, as a feed of today would. For a database of the test's own.
 */
export async function freshAdvisories(database: Database): Promise<void> {
  await database.system((tx) =>
    sql`
      insert into feeds (name, loaded_at, records, published_at, content_hash, covers)
      values ('osv:fresh', now(), 0, now(), '\\x00', ${[...ecosystems]})`.execute(tx),
  );
}

/** The same, and from now on each version that an advisory names is published, as after a look at its registry. */
export async function publishedFixes(database: Database): Promise<void> {
  await freshAdvisories(database);
  await database.system(async (tx) => {
    await sql`
      create function publish_named() returns trigger language plpgsql as $$
      begin
        insert into registry_versions (ecosystem, package_name, versions, looked_up_at)
        values (new.ecosystem, new.package_name, array(
          select event #>> '{}' from jsonb_path_query(new.affected, '$.ranges[*].events[*].*') as named (event)
        ), now())
        on conflict (ecosystem, package_name)
          do update set versions = array(select distinct unnest(registry_versions.versions || excluded.versions));
        return null;
      end $$`.execute(tx);
    await sql`
      create trigger publish_named after insert or update on advisory_packages
      for each row execute function publish_named()`.execute(tx);
  });
}

import { type Kysely, sql } from 'kysely';

/** The loose name of `coverage/unread-keys.ts`. */
const looseName = [
  ['(/|[.])v[0-9]+$', ''],
  ['^.*[/:\\\\]', ''],
  ['[.](jar|war|ear|aar|dll|whl|gem|nupkg|phar|crate|egg|zip|tgz|tar([.]\\w+)?|(min[.])?js)$', ''],
  ['[-_.]v?[0-9]+([.][0-9]+)+([-_.+].*)?$|-[0-9][\\w.+]*$', ''],
  ['^(the|apache|eclipse|jboss)[[:space:]_-]+(?=[^[:space:]])', ''],
  ['[-_.[:space:]]+', ''],
].reduce(
  (name, [pattern, instead]) => sql`regexp_replace(${name}, ${sql.lit(pattern)}, ${sql.lit(instead)}, 'gi')`,
  sql`lower(name)`,
);

/**
 * What a source names and could not place, the tool that writes its lock file, and the ranges and askers that a plan needs. Sources that
 * are there get what their names and components show; the next sync replaces it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table stack_sources add column unread jsonb not null default '[]',
    add column unread_keys text[] not null default '{}', add column tool text`.execute(db);
  await sql`create index stack_sources_with_unread on stack_sources (organisation_id, project_id)
    where unread_keys <> '{}'`.execute(db);
  await sql`alter table tech_stack_items add column ranges jsonb, add column asked_by jsonb`.execute(db);
  await sql`
    insert into stack_sources (organisation_id, project_id, source, updated_at, unread, unread_keys)
    select organisation_id, project_id, source, max(updated_at),
      jsonb_build_array(jsonb_build_object('ecosystem', ecosystem, 'name', null, 'reason', 'direct_only', 'stated', null, 'at', null)),
      array[ecosystem || ' *']
    from tech_stack_items
    where removed_in = 0 and (ecosystem = 'Maven' and source like '%pom.xml' or ecosystem = 'PyPI' and source ~ 'requirements[^/]*[.]txt$')
    group by organisation_id, project_id, source, ecosystem
    on conflict (organisation_id, project_id, source)
      do update set unread = excluded.unread, unread_keys = excluded.unread_keys`.execute(db);
  await sql`
    insert into stack_sources (organisation_id, project_id, source, updated_at, unread, unread_keys)
    select organisation_id, project_id, source, max(updated_at),
      jsonb_agg(jsonb_build_object('ecosystem', null, 'name', left(name, 300), 'reason', 'no_package_url', 'stated', left(version, 200),
        'at', null) order by key),
      array_agg('* ' || coalesce(nullif(${looseName}, ''), '*') order by key)
    from (select *, row_number() over (partition by organisation_id, project_id, source order by key) as place
      from unmatched_components where purl is null and removed_in = 0 and kind in ('library', 'framework', 'application')) as component
    where place < 1000
    group by organisation_id, project_id, source
    on conflict (organisation_id, project_id, source)
      do update set unread = excluded.unread, unread_keys = excluded.unread_keys`.execute(db);
}

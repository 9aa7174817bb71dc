import { type RawBuilder, sql } from 'kysely';
import type { Transaction } from '../../src/service/db/database.js';
import type { FindingDomain } from '../../src/service/db/tables/findings.js';
import { draw, idOf } from './volume-draw.js';
import type { Volume } from './volume-rows.js';
import type { VolumeProject } from './volume-shares.js';

/** The name of a source, from `project_id` and its `place` in the project. */
const names: Readonly<Record<FindingDomain, RawBuilder<string>>> = {
  containers: sql`'registry.example.com/team/' || replace(project_id, '_', '-') || '-' || place || ':1.4'`,
  code: sql`'https://git.example.com/team/' || project_id || '-' || place`,
  running_app: sql`'https://site-' || place || '.' || replace(project_id, '_', '-') || '.example.com'`,
};

/** The source of a finding. Some sources have many more findings than others. */
export function sourceOf(domain: FindingDomain): RawBuilder<string> {
  return sql<string>`(
    select ${names[domain]} from (select floor(power(${draw('source')}, 1.6) * sources)::integer as place) as chosen
  )`;
}

/** Writes the sources of findings (images and sites) and the scans that found them. */
export async function insertSources(tx: Transaction, volume: Volume, projects: readonly VolumeProject[], jobs: number) {
  const organisation = sql.lit(volume.organisationId);
  const sourcesOf = (domain: FindingDomain) => sql`(
    select given.*, place, ordinal * 100000 + place as n
    from unnest(${projects.map(({ id }) => id)}::text[], ${projects.map(({ ordinal }) => ordinal)}::integer[],
      ${projects.map(({ sources }) => sources[domain])}::integer[],
      ${projects.map(({ share }) => 1 + Math.floor(share * jobs))}::integer[]) as given (project_id, ordinal, sources, jobs)
    cross join lateral generate_series(0, sources - 1) as place
  )`;
  await sql`
    insert into container_images (organisation_id, id, project_id, ref, os, monitored, runtime, layers, labels, base_layers,
      scanned_at)
    select ${organisation}, ${idOf('img', sql`n`)}, project_id, ${names.containers}, 'debian 12.9', n % 2 = 0, 'node 20.11.0',
      array['sha256:base-0', 'sha256:base-1', 'sha256:own-' || n || '-2', 'sha256:own-' || n || '-3'], '{}', 2,
      ${volume.now}::timestamptz - interval '1 hour' * (1 + n % 200)
    from ${sourcesOf('containers')} as sources`.execute(tx);
  await sql`
    insert into dast_targets (organisation_id, id, project_id, url, name, environment, last_scanned_at)
    select ${organisation}, ${idOf('tgt', sql`n`)}, project_id, ${names.running_app}, 'Site ' || place, 'production', ${volume.now}
    from ${sourcesOf('running_app')} as sources`.execute(tx);
  for (const domain of ['containers', 'code', 'running_app'] as const) {
    await sql`
      insert into scan_jobs (organisation_id, id, project_id, domain, hosted, status, source, mode, tool, content_hash,
        red, yellow, green, queued_at, started_at, finished_at)
      select ${organisation}, ${idOf('job', sql`${sql.lit(domain)} || n || '-' || nth`)}, project_id, ${sql.lit(domain)},
        ${sql.lit(domain)} = 'running_app' and nth % 3 = 0, 'done', ${names[domain]},
        case when ${sql.lit(domain)} = 'running_app' then 'baseline' end, 'Scanner', sha256((n || '-' || nth)::bytea),
        n % 9, nth % 31, 12, queued, queued, queued + interval '40 seconds'
      from ${sourcesOf(domain)} as sources
      cross join lateral generate_series(1, ceil(jobs / 3.0 / sources)::integer) as nth
      cross join lateral (select ${volume.now}::timestamptz - interval '7 hours' * nth - interval '1 second' * n as queued) as at
      `.execute(tx);
  }
}

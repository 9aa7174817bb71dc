import { sql } from 'kysely';
import type { Database } from '../../src/service/db/database.js';
import { draw, idOf, pick } from './volume-draw.js';
import { rowsOf, type Volume, vulnerabilityOf } from './volume-rows.js';
import { batchesOf, type VolumeProject } from './volume-shares.js';

/** Writes the projects, webhooks of some, and a usage report for each project that has verdicts. */
export async function fillProjects(
  database: Database,
  { organisationId, now }: Volume,
  projects: readonly VolumeProject[],
): Promise<void> {
  await database.system(async (tx) => {
    const ofOrganisation = { organisation_id: organisationId };
    await tx
      .insertInto('projects')
      .values(
        projects.map(({ id, name, exposure }) => ({
          ...{ ...ofOrganisation, id, name, exposure },
          ...{ description: 'A project of the volume tool.', repo: `https://git.example.com/team/${name}` },
        })),
      )
      .execute();
    await tx
      .insertInto('webhooks')
      .values(
        projects.slice(0, 10).map(({ id, ordinal }) => ({
          ...{ ...ofOrganisation, id: `whk_${ordinal}`, project_id: id, kind: 'slack' as const, name: 'Team channel' },
          ...{ url: 'https://hooks.example.com/services/T0/B0/x', secret: null, events: ['alert.red'], enabled: false },
        })),
      )
      .execute();
    await tx
      .insertInto('usage_reports')
      .values(
        projects
          .filter(({ reported }) => reported)
          .map(({ id, ordinal }) => ({
            ...{ ...ofOrganisation, id: `rep_${ordinal}`, project_id: id, content_hash: Buffer.alloc(32, ordinal) },
            ...{ analyser: 'reach 1.0.0', generated_at: now, complete: true, report: '{}', uploaded_by: 'volume' },
          })),
      )
      .execute();
  });
}

/** Writes the packages of the projects. Half of them have vulnerabilities. */
export async function fillStacks(
  database: Database,
  volume: Volume,
  projects: readonly VolumeProject[],
  packages: number,
): Promise<void> {
  for (const batch of batchesOf(projects, packages)) {
    await database.system((tx) =>
      sql`
      insert into tech_stack_items (organisation_id, id, project_id, source, ecosystem, name, package_name, version, scope, direct)
      select ${sql.lit(volume.organisationId)}, ${idOf('itm', sql`rows.n`)}, project_id, 'package-lock.json', ecosystem, name, name,
        '1.' || (k % 40) || '.' || k, case when k % 4 = 0 then 'development' else 'runtime' end, k % 9 = 0
      from ${rowsOf(batch)} as rows
      cross join lateral (
        select case when k % 2 = 0 then package_name else 'healthy-' || k end as name, ecosystem
        from volume_vulnerabilities where volume_vulnerabilities.n = ${vulnerabilityOf(volume)}
      ) as known`.execute(tx),
    );
  }
}

/** Writes the audit log of the last 400 days. */
export async function fillAuditLog(
  database: Database,
  { organisationId, now }: Volume,
  entries: number,
): Promise<void> {
  await database.system((tx) =>
    sql`
    insert into audit_log (organisation_id, id, at, actor_kind, actor_id, actor_name, action, target_kind, target_id, before,
      after, ip, request_id)
    select ${sql.lit(organisationId)}, 'aud_' || lpad(n::text, 32, '0'),
      ${now}::timestamptz - interval '400 days' * (${sql.lit(entries)} - n) / ${sql.lit(entries)},
      'member', 'mem_volume_' || floor(power(${draw('actor')}, 2) * 12), 'Member',
      ${pick('action', ['scan.upload', 'scan.upload', 'scan.upload', 'alert.acknowledge', 'tech_stack.sync', 'verdict.override', 'project.update'])},
      'project', 'prj_volume', null, '{"note": "by the volume tool"}', '192.0.2.7', 'req-' || n
    from generate_series(1, ${sql.lit(entries)}) as n`.execute(tx),
  );
}

import { type RawBuilder, sql } from 'kysely';
import type { Handlers } from '../api/handler.js';
import type { Transaction } from '../db/database.js';
import { inScope, isProjectOf, ofLivingProject, type Scope } from '../db/scope.js';
import { listScope } from '../projects/list-scope.js';

/** Revisions of what others than this process may have written: they come from the rows. */
export const getRevisions: Handlers['posture']['getRevisions'] = async (ctx, { projects, alerts }) => {
  const { tx } = ctx;
  const scope = await listScope(ctx, {});
  const [all, ofProjects, ofAlerts] = await Promise.all([
    postureRevisions(tx, scope, sql`''`),
    projects === undefined ? [] : postureRevisions(tx, among(scope, projects.split(',')), sql`project_id`),
    alerts === undefined ? [] : alertRevisions(tx, scope, alerts.split(',')),
  ]);
  return { posture: all[0]?.revision ?? '', projects: ofProjects, alerts: ofAlerts };
};

/** Keeps those of the asked projects that are in the scope. */
function among(scope: Scope, ids: readonly string[]): Scope {
  const { among: seen } = scope;
  return { ...scope, among: seen === undefined ? ids : ids.filter((id) => seen.includes(id)) };
}

interface Revision {
  readonly id: string;
  readonly revision: string;
}

/**
 * A hash of what a posture is made from, by project or over all: its counts, when stacks last changed and scans last ran, and the
 * feeds. One finding in place of another of the same kind comes from one of these.
 *
 * @param id of the rows that have one revision together
 */
async function postureRevisions(tx: Transaction, scope: Scope, id: RawBuilder<unknown>): Promise<Revision[]> {
  const { organisationId } = scope;
  const { rows } = await sql<Revision>`
    with those as (select id as project_id, revision, alerts_due_after from projects where ${isProjectOf(scope)}),
    part as (
      select ${id} as id, concat_ws(' ', 'projects', count(*), sum(revision), count(alerts_due_after),
        (select md5(string_agg(concat_ws(' ', name, encode(content_hash, 'hex')), ' ' order by name)) from feeds)) as text
      from those group by 1
      union all
      select ${id}, concat_ws(' ', 'counts', domain, state, tier, severity, band, sum(count)) from posture_counts
      where ${inScope(scope)} and source = '' and count <> 0 group by 1, domain, state, tier, severity, band
      union all
      select ${id}, concat_ws(' ', 'stacks', sum(packages), max(changed_at)) from stack_counts
      where ${inScope(scope)} group by 1
      union all
      select ${id}, concat_ws(' ', 'scans', asked.domain, max(last.at)) from those
      cross join (values ('code'), ('running_app'), ('containers')) as asked (domain)
      cross join (values (true), (false)) as ran (hosted)
      cross join lateral (
        select coalesce(finished_at, queued_at) as at from scan_jobs as job
        where job.organisation_id = ${organisationId} and job.project_id = those.project_id and job.domain = asked.domain
          and job.hosted = ran.hosted and status = 'done'
        order by queued_at desc limit 1
      ) as last
      group by 1, asked.domain
    )
    select id, md5(string_agg(text, ' ' order by text)) as revision from part
    where id = '' or id in (select project_id from those)
    group by id`.execute(tx);
  return rows;
}

async function alertRevisions(tx: Transaction, scope: Scope, ids: readonly string[]): Promise<Revision[]> {
  const { rows } = await sql<Revision>`
    select alert.id, md5(concat(alert::text, verdict::text)) as revision
    from alerts as alert left join verdicts as verdict
      on verdict.organisation_id = alert.organisation_id and verdict.alert_id = alert.id
    where ${inScope(scope, 'alert')} and alert.id = any (${[...ids]}::text[]) and ${ofLivingProject(scope, 'alert')}`.execute(
    tx,
  );
  return rows;
}

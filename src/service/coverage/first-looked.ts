import { sql } from 'kysely';
import type { Domain } from '../../procedures/risk.js';
import type { Transaction } from '../db/database.js';
import { isProjectOf, type Scope } from '../db/scope.js';

/**
 * Since when each domain of a scope is looked at: the first stack or finished scan of any of its projects. A domain where
 * nothing was looked at is missing.
 */
export async function firstLooked(tx: Transaction, scope: Scope): Promise<ReadonlyMap<Domain, Date>> {
  const { organisationId } = scope;
  const { rows } = await sql<{ readonly domain: Domain; readonly at: Date }>`
    with those as (select id from projects where ${isProjectOf(scope)})
    select 'dependencies' as domain, min(first_at) as at from those
    join stack_counts on organisation_id = ${organisationId} and project_id = those.id
    having min(first_at) is not null
    union all
    select asked.domain, min(first.at) from those
    cross join (values ('code'), ('running_app'), ('containers')) as asked (domain)
    cross join (values (true), (false)) as ran (hosted)
    cross join lateral (
      select coalesce(finished_at, queued_at) as at from scan_jobs as job
      where job.organisation_id = ${organisationId} and job.project_id = those.id and job.domain = asked.domain
        and job.hosted = ran.hosted and status = 'done'
      order by queued_at limit 1
    ) as first
    group by asked.domain`.execute(tx);
  return new Map(rows.map(({ domain, at }) => [domain, at]));
}

import { sql } from 'kysely';
import * as z from 'zod';
import type { Transaction } from '../db/database.js';
import { type Job, type JobStatus, jobStatus } from './job.js';

/** A job as the instances share it. */
export interface JobRow {
  readonly name: string;
  readonly shared: Job['shared'];
  /** The instance that runs it; null where that one has ended. */
  readonly instance: string | null;
  readonly status: JobStatus;
}

/** More than the jobs of thirty instances. */
const maxRows = 500;

/**
 * Renews the leases of an instance's jobs, takes those that nobody has, and writes how its own are doing. Answers the jobs that it
 * runs now, each with its status: of one just taken that of whoever had it before.
 */
export async function renewJobs(
  tx: Transaction,
  { instance, leaseMs }: { readonly instance: string; readonly leaseMs: number },
  jobs: readonly Omit<JobRow, 'instance'>[],
): Promise<ReadonlyMap<string, JobStatus>> {
  await sql`delete from jobs where slot <> '' and lease_until < now()`.execute(tx);
  const given = jobs.map(({ name, shared, status }) => ({
    ...{ name, slot: shared === 'one_instance' ? '' : instance, status: z.encode(jobStatus, status) },
  }));
  const { rows } = await sql<{ readonly name: string; readonly status: unknown }>`
    insert into jobs as held (name, slot, instance, lease_until, status)
    select name, slot, ${instance}, now() + ${leaseMs} * interval '1 millisecond', status
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given (name text, slot text, status jsonb) order by name
    on conflict (name, slot) do update set instance = excluded.instance, lease_until = excluded.lease_until,
      status = case when held.instance = excluded.instance then excluded.status else held.status end
    where held.instance = excluded.instance or held.lease_until < now()
    returning name, status`.execute(tx);
  return new Map(rows.map(({ name, status }) => [name, jobStatus.parse(status)]));
}

export async function readJobs(tx: Transaction): Promise<JobRow[]> {
  const { rows } = await sql<{ name: string; slot: string; instance: string; is_held: boolean; status: unknown }>`
    select name, slot, instance, lease_until >= now() as is_held, status from jobs
    where slot = '' or lease_until >= now() order by name, slot limit ${maxRows}`.execute(tx);
  return rows.map(({ name, slot, instance, is_held, status }) => ({
    ...{ name, shared: slot === '' ? 'one_instance' : 'every_instance' },
    ...{ instance: is_held ? instance : null, status: jobStatus.parse(status) },
  }));
}

import { sql } from 'kysely';
import * as z from 'zod';
import { uploadJob } from '../../procedures/uploads.js';
import type { Database, Transaction } from '../db/database.js';
import type { Route } from '../http/routes.js';
import { jobStatus } from '../jobs/job.js';
import type { JobRow } from '../jobs/job-rows.js';

/** Uploads that the list shows, oldest first. */
const maxUploads = 200;

const jobList = z.object({
  jobs: z.array(
    jobStatus.extend({
      name: z.string(),
      shared: z.literal(['one_instance', 'every_instance']),
      instance: z.string().nullable(),
    }),
  ),
  uploads: z.object({
    queued: z.int(),
    running: z.int(),
    items: z.array(
      uploadJob
        .omit({ finished_at: true, answer: true, problem: true })
        .extend({ organisation_id: z.string(), instance: z.string() }),
    ),
  }),
});

/** `GET /jobs`, behind the operator key: the background work of all instances, and the uploads under way. */
export function jobsRoute(database: Database, list: () => Promise<readonly JobRow[]>): Route {
  return {
    method: 'GET',
    path: '/jobs',
    async answer(_req, res) {
      const jobs = (await list()).map(({ status, ...job }) => ({ ...job, ...status }));
      res.json(z.encode(jobList, { jobs, uploads: await database.system(readUploads) }));
    },
  };
}

async function readUploads(tx: Transaction): Promise<z.output<typeof jobList>['uploads']> {
  const underWay = sql<boolean>`state in ('queued', 'running')`;
  const items = await tx
    .selectFrom('uploads')
    .select(['organisation_id', 'id', 'project_id', 'procedure', 'instance', 'state', 'phase', 'done', 'steps as of'])
    .select(['received_at', 'started_at'])
    .where(underWay)
    .orderBy('id')
    .limit(maxUploads)
    .execute();
  const { rows } = await sql<{ readonly queued: number; readonly running: number }>`
    select count(*) filter (where state = 'queued')::int as queued, count(*) filter (where state = 'running')::int as running
    from uploads where ${underWay}`.execute(tx);
  return { ...(rows[0] ?? { queued: 0, running: 0 }), items };
}

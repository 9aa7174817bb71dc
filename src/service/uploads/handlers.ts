import type { Handlers } from '../api/handler.js';
import { findProject } from '../projects/find-project.js';
import { findJob, listJobs } from './load-job.js';

export const uploadHandlers: Handlers['uploads'] = {
  async list(ctx, { project_id, ...filter }) {
    await findProject(ctx, project_id);
    return listJobs(ctx, project_id, filter);
  },
  async get(ctx, { project_id, upload_id }) {
    await findProject(ctx, project_id);
    return findJob(ctx.tx, { organisationId: ctx.organisationId, id: upload_id }, project_id);
  },
};

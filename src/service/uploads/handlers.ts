import type { Handlers } from '../api/handler.js';
import { findProject } from '../projects/find-project.js';
import { findJob } from './load-job.js';

export const uploadHandlers: Handlers['uploads'] = {
  async get(ctx, { project_id, upload_id }) {
    await findProject(ctx, project_id);
    return findJob(ctx.tx, { organisationId: ctx.organisationId, id: upload_id }, project_id);
  },
};

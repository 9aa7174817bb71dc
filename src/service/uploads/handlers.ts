import type { Handlers } from '../api/handler.js';
import { findProject, requireAsked } from '../projects/find-project.js';
import { listScope, nameProjects } from '../projects/list-scope.js';
import { findJob, listJobs } from './load-job.js';

export const uploadHandlers: Handlers['uploads'] = {
  async list(ctx, { project_id, group, ...filter }) {
    await requireAsked(ctx, project_id);
    const page = await listJobs(ctx, await listScope(ctx, { project_id, group }), filter);
    const projectOf = await nameProjects(ctx, project_id, page.items);
    return { ...page, items: page.items.map((job) => ({ ...job, ...projectOf(job) })) };
  },
  async get(ctx, { project_id, upload_id }) {
    await findProject(ctx, project_id);
    return findJob(ctx.tx, { organisationId: ctx.organisationId, id: upload_id }, project_id);
  },
};

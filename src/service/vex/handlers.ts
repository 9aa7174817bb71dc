import type { Handlers } from '../api/handler.js';
import { offsetOf, pageAnswer } from '../http/page.js';
import { findProject } from '../projects/find-project.js';
import { acceptProposal, rejectProposal } from './decide.js';
import { joinedColumns, proposalsOf, toProposal } from './proposal-row.js';
import { uploadVex } from './upload.js';

export const vexHandlers: Handlers['vex'] = {
  upload: uploadVex,

  async listProposals(ctx, { project_id, state, ...paging }) {
    await findProject(ctx, project_id);
    const key = { organisationId: ctx.organisationId, projectId: project_id };
    const filtered = proposalsOf(ctx.tx, key).$if(state !== undefined, (query) =>
      query.where('vex_proposals.state', '=', state ?? 'pending'),
    );
    const { total } = await filtered.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const rows = await filtered
      .selectAll('vex_proposals')
      .select(joinedColumns)
      .orderBy('vex_proposals.created_at', 'desc')
      .orderBy('vex_proposals.id', 'desc')
      .limit(paging.page_size)
      .offset(offsetOf(paging))
      .execute();
    return pageAnswer(paging, total, rows.map(toProposal));
  },

  accept: acceptProposal,
  reject: rejectProposal,
};

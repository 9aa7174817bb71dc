import { sql } from 'kysely';
import type { Handlers } from '../api/handler.js';
import { key, type List } from '../http/list-order.js';
import { loadPage } from '../http/page.js';
import { findProject } from '../projects/find-project.js';
import { acceptProposal, rejectProposal } from './decide.js';
import { joinedColumns, proposalsOf, toProposal } from './proposal-row.js';
import { uploadVex } from './upload.js';

const newest: List = {
  keys: [key('vex_proposals.created_at', 'timestamptz', 'desc'), key('vex_proposals.id', 'text', 'desc')],
  appeared: sql`vex_proposals.created_at`,
};

export const vexHandlers: Handlers['vex'] = {
  upload: uploadVex,

  async listProposals(ctx, { project_id, state, ...paging }) {
    await findProject(ctx, project_id);
    const key = { organisationId: ctx.organisationId, projectId: project_id };
    const filtered = proposalsOf(ctx.tx, key).$if(state !== undefined, (query) =>
      query.where('vex_proposals.state', '=', state ?? 'pending'),
    );
    const page = await loadPage(ctx, newest, paging, filtered.selectAll('vex_proposals').select(joinedColumns));
    return { ...page, items: page.items.map(toProposal) };
  },

  accept: acceptProposal,
  reject: rejectProposal,
};

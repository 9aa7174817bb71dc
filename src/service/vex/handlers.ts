import { sql } from 'kysely';
import type * as z from 'zod';
import type { vex } from '../../procedures/vex.js';
import type { Handlers } from '../api/handler.js';
import { all, type Conditions, conditionsOf, type FiltersOf } from '../http/filters.js';
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

const conditions: Conditions<FiltersOf<z.output<typeof vex.listProposals.input>>> = {
  state: (state) => sql<boolean>`vex_proposals.state = ${state}`,
};

export const vexHandlers: Handlers['vex'] = {
  upload: uploadVex,

  async listProposals(ctx, input) {
    await findProject(ctx, input.project_id);
    const key = { organisationId: ctx.organisationId, projectId: input.project_id };
    const filtered = proposalsOf(ctx.tx, key).where(all(conditionsOf(conditions, input)));
    const page = await loadPage(ctx, newest, input, filtered.selectAll('vex_proposals').select(joinedColumns));
    return { ...page, items: page.items.map(toProposal) };
  },

  accept: acceptProposal,
  reject: rejectProposal,
};

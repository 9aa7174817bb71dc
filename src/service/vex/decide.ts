import type { Context, Handlers } from '../api/handler.js';
import { byId } from '../db/scope.js';
import { conflict } from '../http/api-error.js';
import { requireProjectLock } from '../projects/find-project.js';
import { setOverride } from '../reachability/override.js';
import { type Proposal, requireProposal, toProposal } from './proposal-row.js';

/** Overrides the verdict as the proposal says, by the same rules as a member's own override. */
export const acceptProposal: Handlers['vex']['accept'] = async (ctx, input) => {
  const { project_id, proposal_id, reason, expected_revision } = input;
  const pending = await requirePending(ctx, project_id, proposal_id);
  await setOverride(
    ctx,
    { project_id, verdict_id: pending.verdict_id, expected_revision },
    { verdict: pending.verdict, reason: reason ?? pending.reason, expires_at: null },
  );
  return decide(ctx, pending, 'accepted', reason ?? null);
};

export const rejectProposal: Handlers['vex']['reject'] = async (ctx, { project_id, proposal_id, reason }) =>
  decide(ctx, await requirePending(ctx, project_id, proposal_id), 'rejected', reason ?? null);

async function requirePending(ctx: Context, projectId: string, proposalId: string) {
  const key = await requireProjectLock(ctx, projectId);
  const proposal = await requireProposal(ctx.tx, key, proposalId);
  if (proposal.state !== 'pending') throw conflict('proposal_decided');
  return proposal;
}

/** The document's version is not the package's. */
function subjectOf({ vulnerability_id, ecosystem, package_name }: Pending) {
  return { vulnerability_id, ecosystem, package_name };
}

type Pending = Awaited<ReturnType<typeof requirePending>>;

async function decide(
  { tx, organisationId, caller, now, audit }: Context,
  pending: Pending,
  state: 'accepted' | 'rejected',
  decision_reason: string | null,
): Promise<Proposal> {
  const decision = { state, decided_by: caller.name, decided_at: now, decision_reason };
  await tx.updateTable('vex_proposals').set(decision).where(byId(organisationId, pending.id)).execute();
  await audit({
    action: state === 'accepted' ? 'vex.accept_proposal' : 'vex.reject_proposal',
    target: { kind: 'vex_proposal', id: pending.id },
    about: subjectOf(pending),
    before: { state: pending.state, verdict: pending.verdict, document_id: pending.document_id },
    after: { state, verdict: pending.verdict, document_id: pending.document_id, reason: decision_reason },
  });
  return toProposal({ ...pending, ...decision });
}

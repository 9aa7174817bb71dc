import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { at, textAt } from '../../support/at.js';
import { startService, type TestService } from '../../support/service.js';
import { projectWithVerdicts } from '../reachability/project-with-verdicts.js';
import {
  affected,
  notAffected,
  openVex,
  type Proposal,
  tracked,
  type VexProject,
  type Vulnerable,
  vexProject,
} from './vex-project.js';

let service: TestService;
let project: VexProject;
let found: Vulnerable;
let proposal: Proposal;

async function proposed(): Promise<Proposal> {
  const [first] = await project.proposals('&state=pending');
  if (first === undefined) throw new Error('nothing is proposed');
  return first;
}

beforeAll(async () => {
  service = await startService();
});
beforeEach(async () => {
  project = await vexProject(service);
  found = await tracked(project);
  await project.uploadVex(openVex([notAffected(found.cve, { '@id': found.purl })]));
  proposal = await proposed();
});
afterAll(() => service.close());

const onlyVerdict = async () => (await project.verdicts())[0];
const audit = async () => {
  const { body } = await service.call(project.organisation.readKey, 'GET', '/api/org/audit-log?page_size=2');
  return [at(body, 'items.0'), at(body, 'items.1')];
};

describe('a member', () => {
  test('accepts: the verdict is overridden with the document’s words, and both are in the audit log', async () => {
    const { status, body } = await project.decide(proposal.id, 'accept');
    expect(status).toBe(200);
    expect(body).toMatchObject({ state: 'accepted', decided: { by: project.organisation.member.name, reason: null } });
    expect(await onlyVerdict()).toMatchObject({
      band: 'likely_not_exploitable',
      effective_priority: 0,
      override: { verdict: 'NotExploitable', reason: proposal.reason, set_by: project.organisation.member.name },
    });
    expect(await audit()).toMatchObject([
      {
        action: 'vex.accept_proposal',
        target: { kind: 'vex_proposal', id: proposal.id },
        after: { state: 'accepted' },
      },
      { action: 'verdict.override', after: { verdict: 'NotExploitable' } },
    ]);
  });

  test('accepts with a reason of their own', async () => {
    await project.decide(proposal.id, 'accept', { reason: '  We read the code.  ' });
    expect((await onlyVerdict())?.override?.reason).toBe('We read the code.');
  });

  test('rejects: the verdict stays, and the same statement is not proposed again', async () => {
    const before = await onlyVerdict();
    const { body } = await project.decide(proposal.id, 'reject', { reason: 'We call it.' });
    expect(body).toMatchObject({ state: 'rejected', decided: { reason: 'We call it.' } });
    expect(await onlyVerdict()).toEqual(before);
    expect((await audit())[0]).toMatchObject({ action: 'vex.reject_proposal', after: { reason: 'We call it.' } });
    const next = openVex([notAffected(found.cve, { '@id': found.purl })], { version: 2 });
    const { proposals, receipt } = await project.uploadVex(next);
    expect(proposals).toEqual({ created: 0, unchanged: 1, superseded: 0 });
    expect(receipt).toMatchObject({ rows: 1, taken: 0, merged: 1 });
  });

  test('decides once', async () => {
    await project.decide(proposal.id, 'reject');
    for (const decision of ['accept', 'reject'] as const) {
      const { status, body } = await project.decide(proposal.id, decision);
      expect({ status, reason: at(body, 'reason') }).toEqual({ status: 409, reason: 'proposal_decided' });
    }
  });

  test('does not replace an override unread: the same 409, and the same way around it', async () => {
    const verdict = await onlyVerdict();
    await project.override(verdict?.id ?? '', { verdict: 'Exploitable', reason: 'A plugin calls it.' });
    const refused = await project.decide(proposal.id, 'accept');
    expect({ status: refused.status, reason: at(refused.body, 'reason') }).toEqual({
      status: 409,
      reason: 'already_overridden',
    });
    expect((await proposed()).id).toBe(proposal.id);
    const { revision } = (await onlyVerdict()) ?? {};
    expect((await project.decide(proposal.id, 'accept', { expected_revision: revision })).status).toBe(200);
    expect((await onlyVerdict())?.override?.verdict).toBe('NotExploitable');
  });

  test('of another organisation finds neither', async () => {
    const other = await service.newOrganisation({ plan: 'Business' });
    expect((await project.decide(proposal.id, 'accept', {}, other.member.session)).status).toBe(404);
    const mine = await projectWithVerdicts(service);
    const path = `${mine.path}/vex/proposals/${proposal.id}/reject`;
    const { status, body } = await service.call(mine.organisation.member.session, 'POST', path, {});
    expect({ status, resource: at(body, 'resource') }).toEqual({ status: 404, resource: 'proposal' });
  });
});

test('an API key gets 401, for it may not decide', async () => {
  for (const key of [project.organisation.writeKey, project.organisation.readKey]) {
    for (const decision of ['accept', 'reject'] as const) {
      expect((await project.decide(proposal.id, decision, {}, key)).status).toBe(401);
    }
  }
  expect((await proposed()).state).toBe('pending');
});

test('uploading needs a key that writes and the plan that verdicts need', async () => {
  const document = openVex([notAffected(found.cve, { '@id': found.purl })]);
  const read = await service.call(project.organisation.readKey, 'POST', `${project.path}/vex`, document);
  expect(read.status).toBe(403);
  const free = await projectWithVerdicts(service, 'Free');
  const { status, body } = await service.call(free.organisation.writeKey, 'POST', `${free.path}/vex`, document);
  expect({ status, code: textAt(body, 'code') }).toEqual({ status: 403, code: 'plan_required' });
});

describe('a document', () => {
  const statement = () => notAffected(found.cve, { '@id': found.purl });
  const states = async () => (await project.proposals()).map(({ state }) => state).sort();

  test('uploaded again changes nothing, whatever became of its proposals', async () => {
    const again = () => project.uploadVex(openVex([statement()]));
    expect(await again()).toMatchObject({
      duplicate: true,
      proposals: { created: 0, unchanged: 1, superseded: 0 },
      receipt: { rows: 1, taken: 1 },
    });
    await project.decide(proposal.id, 'reject');
    await again();
    expect(await states()).toEqual(['rejected']);
  });

  test('in a newer version supersedes what is pending of the older, and the older comes too late', async () => {
    const newer = openVex([affected(found.cve, { '@id': found.purl })], { version: 10 });
    expect((await project.uploadVex(newer)).proposals).toEqual({ created: 1, unchanged: 0, superseded: 1 });
    expect(await states()).toEqual(['pending', 'superseded']);
    const older = openVex([{ ...statement(), impact_statement: 'Other words.' }], { version: 9 });
    expect(await project.uploadVex(older)).toMatchObject({
      proposals: { created: 0, superseded: 0 },
      receipt: { skipped: 1, skipped_rows: [{ reason: 'a newer version (10) of this document is here' }] },
    });
    expect((await project.decide(proposal.id, 'accept')).status).toBe(409);
  });

  test('of the same author, and newer, supersedes where it speaks of the same verdict, even without a proposal', async () => {
    const other = { '@id': 'https://acme.example/vex/2', timestamp: '2025-02-02T00:00:00Z' };
    const open = openVex([{ ...statement(), status: 'under_investigation' }], other);
    expect((await project.uploadVex(open)).proposals).toEqual({ created: 0, unchanged: 0, superseded: 1 });
    expect(await states()).toEqual(['superseded']);
  });

  test('of the same author on another vulnerability supersedes nothing; nor does another author’s', async () => {
    await project.uploadVex(openVex([notAffected('CVE-1999-1', { '@id': found.purl })], { '@id': 'urn:other' }));
    await project.uploadVex(openVex([statement()], { '@id': 'urn:third', author: 'Somebody else' }));
    expect(await states()).toEqual(['pending', 'pending']);
  });
});

import * as z from 'zod';
import { defineProcedure, defineQuery } from './define.js';
import { receipt } from './receipt.js';
import { overrideVerdict, packageRef } from './vulnerability.js';
import { expectedRevision, id, jsonObject, line, pageInput, pageOf, projectRef, prose, timestamp } from './wire.js';

/** Bytes of a document. The largest public ones (CSAF, one a vulnerability) have a few megabytes. */
const maxBytes = 64 * 1024 * 1024;

const vexFormat = z.enum(['cyclonedx', 'openvex', 'csaf']);
export type VexFormat = z.infer<typeof vexFormat>;

/** `superseded`: a newer document of the same author speaks of the same verdict, or replaces the older document. */
export const proposalState = z.enum(['pending', 'accepted', 'rejected', 'superseded']);
export type ProposalState = z.infer<typeof proposalState>;

/** What a document says of a product and a vulnerability, in OpenVEX's words. */
export const vexStatus = z.enum(['not_affected', 'affected', 'fixed', 'under_investigation']);
export type VexStatus = z.infer<typeof vexStatus>;

/** Statements that propose nothing: a verdict says only whether a vulnerability can be exploited. */
export const vexLeftOutKinds = ['fixed', 'under_investigation', 'other'] as const;

/** A VEX document that was uploaded. */
const vexDocument = z.object({
  id,
  format: vexFormat,
  name: z.string().nullable().describe('serial number, @id or tracking id'),
  version: z.string().nullable(),
  author: z.string().nullable(),
  issued_at: timestamp.nullable(),
  uploaded_at: timestamp,
  uploaded_by: z.string(),
});

const proposal = z.object({
  id,
  project_id: id,
  state: proposalState,
  verdict_id: id,
  alert_id: id,
  vulnerability_id: z.string(),
  package: packageRef,
  versions: z.array(z.string()).describe('installed versions that the verdict is on'),
  verdict: overrideVerdict.describe('what accepting sets'),
  reason: z.string().describe('what accepting without a reason of your own writes'),
  statement: z.object({
    status: vexStatus,
    product: z.string().describe('what the document speaks of, in its words'),
    justification: z.string().nullable(),
    detail: z.string().nullable(),
    pointer: z.string().describe('JSON Pointer (RFC 6901) in the document'),
  }),
  document: vexDocument,
  created_at: timestamp,
  decided: z.object({ by: z.string(), at: timestamp, reason: z.string().nullable() }).nullable(),
});

const proposalId = { project_id: projectRef, proposal_id: id };

/** VEX documents in. What they say becomes a proposal, which only a member can make an override. */
export const vex = {
  upload: defineProcedure({
    access: 'write',
    http: 'POST /api/projects/{project_id}/vex',
    body: 'document',
    maxBytes,
    title: 'Upload a VEX document',
    description:
      'CycloneDX 1.4-1.7, OpenVEX or CSAF 2 JSON. Its statements become proposals that members accept or reject; no verdict changes.',
    input: z.strictObject({
      project_id: projectRef,
      product: line(1024).optional().describe('the name by which the document calls this project'),
      document: jsonObject,
    }),
    output: z.object({
      document: vexDocument,
      duplicate: z.boolean().describe('this very document was here already'),
      proposals: z.object({ created: z.int(), unchanged: z.int(), superseded: z.int() }),
      receipt: receipt.extend({
        left_out: z.array(z.object({ kind: z.enum(vexLeftOutKinds), count: z.int() })),
      }),
    }),
  }),
  listProposals: defineQuery({
    http: 'GET /api/projects/{project_id}/vex/proposals',
    title: 'List VEX proposals',
    description: 'What VEX documents propose for verdicts, newest first.',
    input: pageInput({ project_id: projectRef, state: proposalState.optional() }),
    output: pageOf(proposal),
  }),
  accept: defineProcedure({
    access: 'write',
    http: 'POST /api/projects/{project_id}/vex/proposals/{proposal_id}/accept',
    title: 'Accept a VEX proposal',
    description: 'Overrides the verdict as proposed. Member sessions only: API keys fail authentication.',
    input: z.strictObject({
      ...proposalId,
      reason: prose(2000).optional().describe('default: the proposal’s'),
      expected_revision: expectedRevision.describe('of the verdict, to replace an override'),
    }),
    output: proposal,
  }),
  reject: defineProcedure({
    access: 'write',
    http: 'POST /api/projects/{project_id}/vex/proposals/{proposal_id}/reject',
    title: 'Reject a VEX proposal',
    description: 'Leaves the verdict as it is; the same statement is not proposed again. Member sessions only.',
    input: z.strictObject({ ...proposalId, reason: prose(2000).optional() }),
    output: proposal,
  }),
};

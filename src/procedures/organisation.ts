import * as z from 'zod';
import { apiKeyScope } from './api-keys.js';
import { defineLines, defineProcedure, definePublicProcedure, defineQuery, shownOnce } from './define.js';
import { addressText, advisoryId, generated, ipText, purlText, wordText } from './texts.js';
import {
  clears,
  deleted,
  expectedRevision,
  givenName,
  groupRef,
  id,
  jsonObject,
  line,
  pageInput,
  pageOf,
  sinceInput,
  someProjects,
  timestamp,
  timestampInput,
} from './wire.js';

export const plan = z.enum(['Free', 'Business', 'Enterprise']);
export type Plan = z.infer<typeof plan>;

/** In the organisation. `none`: only what groups of projects give. */
export const role = z.enum(['admin', 'member', 'triager', 'viewer', 'none']);
export type Role = z.infer<typeof role>;

/** In a group of projects. */
export const grantedRole = role.exclude(['none']);
export type GrantedRole = z.infer<typeof grantedRole>;

/** Who has shown that an address is a member's: an issuer, an admin whose organisation owns the domain, a mail to it, or the operator. */
export const addressProof = z.enum(['issuer', 'domain', 'mail', 'operator']);
export const actorKind = z.enum(['member', 'api_key', 'operator', 'system']);
const email = z.email().max(254).toLowerCase();

/** Only the length is checked (NIST SP 800-63B, 5.1.1.2). The maximum limits the work of hashing. */
export const newPassword = z.string().min(12).max(256);

const givenGroups = z
  .array(z.strictObject({ group: groupRef, role: grantedRole }))
  .max(100)
  .describe('all groups of projects with a role in them, which counts in the groups in these too');

export const organisationRecord = z.object({
  id,
  name: z.string(),
  contact_email: z.string().nullable(),
  plan,
  revision: z.int(),
  created_at: timestamp,
  updated_at: timestamp,
});

export const member = z.object({
  id,
  email: z.string(),
  name: z.string(),
  role,
  groups: z
    .array(z.object({ id, name: z.string(), role: grantedRole }))
    .describe('groups of projects with a role in them'),
  created_at: timestamp,
  last_seen_at: timestamp.nullable(),
  proven_by: addressProof.nullable().describe('who has shown that the address is this person’s'),
  deactivated_at: timestamp.nullable(),
});

/** A session that has not expired. */
export const sessionRecord = z.object({
  id,
  member: z.object({ id, name: z.string() }),
  created_at: timestamp,
  expires_at: timestamp,
  ip: ipText.nullable().describe('where the member signed in from'),
  current: z.boolean().describe('the one that asks'),
});

/** Projects of a credential that are named, at most. */
export const maxNamedProjects = 50;

/** What the credential of a call may do. */
const ownCredential = z.object({
  kind: z.enum(['member', 'api_key']),
  name: z.string(),
  scope: apiKeyScope,
  role: role.nullable().describe('null: a key has none'),
  projects: z
    .object({ items: z.array(z.object({ id, name: z.string() })).max(maxNamedProjects), total: z.int() })
    .nullable()
    .describe('null: all'),
  expires_at: timestamp.nullable(),
});

const invite = z.object({
  id,
  email: z.string(),
  role,
  status: z.enum(['pending', 'accepted', 'expired', 'revoked']),
  invited_by: z.string(),
  created_at: timestamp,
  expires_at: timestamp,
  accepted_at: timestamp.nullable(),
  delivery: z.enum(['pending', 'sent', 'failed']).nullable().describe('of the mail with its link; null: none'),
});

export const auditEntry = z.object({
  id,
  at: timestamp,
  actor: z.object({ kind: actorKind, id: generated(z.string()), name: z.string() }),
  action: generated(z.string()).describe('domain.verb, as project.create'),
  target: z.object({ kind: generated(z.string()), id: z.string() }),
  project: z.object({ id, name: z.string().nullable() }).nullable(),
  vulnerability_id: advisoryId.nullable(),
  package: purlText.nullable().describe('purl'),
  before: jsonObject.nullable(),
  after: jsonObject.nullable(),
  issuer: addressText.nullable().describe('who vouched for the member; null: nobody did'),
  session_id: generated(z.string()).nullable(),
  ip: ipText.nullable(),
  device: z.string().nullable().describe('the User-Agent'),
  request_id: wordText.nullable(),
});

export const organisation = {
  get: defineQuery({
    tool: 'get_org',
    http: 'GET /api/org',
    title: 'Get the organisation',
    description: 'The organisation of the key: name, plan, contact; and what this credential may do.',
    input: z.strictObject({}),
    output: organisationRecord.extend({ credential: ownCredential }),
  }),
  update: defineProcedure({
    access: 'write',
    http: 'PATCH /api/org',
    title: 'Update the organisation',
    description: 'Changes name or contact email. Admins only.',
    input: z.strictObject({
      name: givenName(200).optional(),
      contact_email: email.optional(),
      clear: clears('contact_email'),
      expected_revision: expectedRevision,
    }),
    output: organisationRecord,
  }),
  listMembers: defineQuery({
    tool: 'list_members',
    http: 'GET /api/org/members',
    title: 'List members',
    description: 'Members with their roles and last visits; by name.',
    input: pageInput({}),
    output: pageOf(member),
  }),
  updateMember: defineProcedure({
    access: 'write',
    http: 'PATCH /api/org/members/{member_id}',
    title: 'Change a member',
    description:
      'The role, those in groups of projects, or whether the member may come in: deactivated ends the sessions at once. Admins only. The last admin stays one.',
    input: z.strictObject({
      member_id: id,
      role: role.optional(),
      groups: givenGroups.optional(),
      deactivated: z.boolean().optional(),
      confirm_address: z
        .literal(true)
        .optional()
        .describe('the address is this person’s; only in an e-mail domain that is proven to be the organisation’s'),
    }),
    output: member,
  }),
  removeMember: defineProcedure({
    access: 'destructive',
    http: 'DELETE /api/org/members/{member_id}',
    title: 'Remove a member',
    description: 'Ends the member’s sessions at once. Admins only. The last admin stays.',
    input: z.strictObject({ member_id: id }),
    output: deleted,
  }),
  createPasswordReset: defineProcedure({
    access: 'write',
    http: 'POST /api/org/members/{member_id}/password-reset',
    answersSecret: true,
    title: 'Let a member set a new password',
    description:
      'Mails a link to the member, where the server sends mail; else answers a token once, to hand over. Good for an hour, for one use. Admins only.',
    input: z.strictObject({ member_id: id }),
    output: z.object({
      token: shownOnce(z.string().nullable()),
      mailed: z.boolean(),
      expires_at: timestamp.nullable(),
    }),
  }),
  listSessions: defineQuery({
    http: 'GET /api/org/sessions',
    title: 'List all sessions',
    description: 'Sessions of all members, or of one, newest first. Admins only.',
    input: pageInput({ member_id: id.optional() }),
    output: pageOf(sessionRecord),
  }),
  endSession: defineProcedure({
    access: 'destructive',
    http: 'DELETE /api/org/sessions/{session_id}',
    title: 'End a member’s session',
    description: 'Its token answers 401 from now on. Admins only.',
    input: z.strictObject({ session_id: id }),
    output: deleted,
  }),
  endSessions: defineProcedure({
    access: 'destructive',
    http: 'DELETE /api/org/sessions',
    title: 'End all other sessions',
    description: 'Those of all members, or of one, but never the one that asks. Admins only.',
    input: z.strictObject({ member_id: id.optional() }),
    output: z.object({ ended: z.int() }),
  }),
  listInvites: defineQuery({
    tool: 'list_invites',
    http: 'GET /api/org/invites',
    title: 'List invites',
    description: 'Who was invited: pending, or accepted in the last 30 days; newest first.',
    input: pageInput({}),
    output: pageOf(invite),
  }),
  createInvite: defineProcedure({
    access: 'write',
    http: 'POST /api/org/invites',
    answersSecret: true,
    title: 'Invite a member',
    description:
      'Mails a link to the address, where the server sends mail; else answers a token once, to hand over. Good for 7 days. Admins only.',
    input: z.strictObject({ email, role: role.default('member'), groups: givenGroups.default([]) }),
    output: z.object({ invite, token: shownOnce(z.string().nullable()), mailed: z.boolean() }),
  }),
  revokeInvite: defineProcedure({
    access: 'destructive',
    http: 'DELETE /api/org/invites/{invite_id}',
    title: 'Revoke an invite',
    description: 'Admins only.',
    input: z.strictObject({ invite_id: id }),
    output: deleted,
  }),
  acceptInvite: definePublicProcedure({
    access: 'write',
    http: 'POST /api/invites/accept',
    title: 'Accept an invite',
    description: 'Makes the invited person a member with the given name and password.',
    input: z.strictObject({ token: z.string().max(200), name: givenName(200), password: newPassword }),
    output: member,
  }),
  getAuditLog: defineQuery({
    tool: 'get_audit_log',
    http: 'GET /api/org/audit-log',
    title: 'Read the audit log',
    description: 'Who changed, acknowledged or overrode what, and when; newest first.',
    input: pageInput({
      ...someProjects,
      actor: line(254).optional().describe('id, name or e-mail of a member or key'),
      action: z.string().max(100).optional().describe('such as project.create, or project for all of it'),
      target: line(1024).optional().describe('id of what it was done to, a CVE, or a purl'),
      since: sinceInput,
      until: sinceInput,
    }),
    output: pageOf(auditEntry),
    summary: ['id', 'at', 'actor', 'action', 'target', 'project', 'vulnerability_id', 'package'],
  }),
  exportAuditLog: defineLines({
    http: 'GET /api/org/audit-log/export',
    title: 'Export the audit log',
    description: 'JSON lines, oldest entry first; the export’s own is the last. Admins only.',
    input: z.strictObject({ since: timestampInput.optional(), until: timestampInput.optional() }),
    output: auditEntry,
  }),
};

import * as z from 'zod';
import { apiKeyScope } from './api-keys.js';
import { defineProcedure, definePublicProcedure, defineQuery } from './define.js';
import { member, newPassword, plan, sessionRecord } from './organisation.js';
import { deleted, id, pageInput, pageOf, timestamp } from './wire.js';

export const session = {
  create: definePublicProcedure({
    access: 'write',
    http: 'POST /api/session',
    title: 'Sign in',
    description: 'Exchanges email and password for a short-lived member token (JWT).',
    input: z.strictObject({ email: z.string().max(254), password: z.string().max(256) }),
    output: z.object({ token: z.string(), expires_at: timestamp }),
  }),
  get: defineQuery({
    http: 'GET /api/session',
    title: 'Who is calling',
    description: 'The caller behind the credential.',
    input: z.strictObject({
      procedure: z
        .string()
        .max(100)
        .optional()
        .describe('as projects.create: then refused as that one would refuse the caller'),
    }),
    output: z.object({
      organisation: z.object({ id, name: z.string(), plan }),
      caller: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('member'), member, expires_at: timestamp }),
        z.object({
          kind: z.literal('api_key'),
          id,
          name: z.string(),
          scope: apiKeyScope,
          expires_at: timestamp.nullable(),
          project_ids: z.array(id).nullable(),
        }),
      ]),
    }),
  }),
  renew: defineProcedure({
    access: 'write',
    http: 'POST /api/session/renewal',
    title: 'Stay signed in',
    description:
      'A new token for the same session, good for 12 more hours, until 7 days after signing in. The old token stays good until its own expiry. Members only.',
    input: z.strictObject({}),
    output: z.object({ token: z.string(), expires_at: timestamp }),
  }),
  end: defineProcedure({
    access: 'write',
    http: 'DELETE /api/session',
    title: 'Sign out',
    description: 'Ends the session: its token answers 401 from now on. Members only.',
    input: z.strictObject({}),
    output: z.object({ ended: z.literal(true) }),
  }),
  list: defineQuery({
    http: 'GET /api/sessions',
    title: 'List my sessions',
    description: 'The caller’s own, newest first. Members only.',
    input: pageInput({}),
    output: pageOf(sessionRecord),
  }),
  endOne: defineProcedure({
    access: 'destructive',
    http: 'DELETE /api/sessions/{session_id}',
    title: 'End one of my sessions',
    description: 'Its token answers 401 from now on. Members only.',
    input: z.strictObject({ session_id: id }),
    output: deleted,
  }),
  endOthers: defineProcedure({
    access: 'destructive',
    http: 'DELETE /api/sessions',
    title: 'End my other sessions',
    description: 'All of the caller’s own but the one that asks. Members only.',
    input: z.strictObject({}),
    output: z.object({ ended: z.int() }),
  }),
  changePassword: defineProcedure({
    access: 'write',
    http: 'PUT /api/session/password',
    title: 'Change my password',
    description: 'Needs the current one, and ends the caller’s other sessions. Members only.',
    input: z.strictObject({ current_password: z.string().max(256), new_password: newPassword }),
    output: z.object({ changed: z.literal(true), ended_sessions: z.int() }),
  }),
  resetPassword: definePublicProcedure({
    access: 'write',
    http: 'POST /api/session/password-reset',
    title: 'Set a new password by a token',
    description: 'With the token that an admin or the operator has issued. Ends all sessions of the member.',
    input: z.strictObject({ token: z.string().max(200), password: newPassword }),
    output: z.object({ reset: z.literal(true) }),
  }),
};

import * as z from 'zod';
import { apiKeyScope } from './api-keys.js';
import { defineProcedure, definePublicProcedure, defineQuery } from './define.js';
import { member, plan } from './organisation.js';
import { id, timestamp } from './wire.js';

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
    input: z.strictObject({}),
    output: z.object({
      organisation: z.object({ id, name: z.string(), plan }),
      caller: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('member'), member, expires_at: timestamp }),
        z.object({ kind: z.literal('api_key'), id, name: z.string(), scope: apiKeyScope }),
      ]),
    }),
  }),
  end: defineProcedure({
    access: 'write',
    http: 'DELETE /api/session',
    title: 'Sign out',
    description: 'Ends the session: its token answers 401 from now on. Members only.',
    input: z.strictObject({}),
    output: z.object({ ended: z.literal(true) }),
  }),
};

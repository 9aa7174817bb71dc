import * as z from 'zod';
import { defineProcedure, defineQuery, shownOnce } from './define.js';
import { deleted, givenName, id, pageInput, pageOf, timestamp, timestampInput } from './wire.js';

/** ReadOnly keys may call what reads, ReadWrite keys everything that keys may call (specification, section 5). */
export const apiKeyScope = z.enum(['ReadOnly', 'ReadWrite']);

const apiKey = z.object({
  id,
  name: z.string(),
  scope: apiKeyScope,
  hint: z.string().describe('prefix and last four characters'),
  created_by: z.string(),
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
  revoked_at: timestamp.nullable(),
  expires_at: timestamp.nullable(),
  project_ids: z.array(id).nullable().describe('null: all projects'),
});

export const apiKeys = {
  list: defineQuery({
    http: 'GET /api/org/api-keys',
    title: 'List API keys',
    description: 'Newest first, revoked ones included. Admins only.',
    input: pageInput({}),
    output: pageOf(apiKey),
  }),
  create: defineProcedure({
    access: 'write',
    http: 'POST /api/org/api-keys',
    answersSecret: true,
    title: 'Create an API key',
    description:
      'Answers the key itself once; only its hash is kept. With project_ids it reaches these projects alone. Admins only.',
    input: z.strictObject({
      name: givenName(100),
      scope: apiKeyScope,
      expires_at: timestampInput.optional(),
      project_ids: z.array(id).min(1, 'needs at least one').max(100).optional(),
    }),
    output: z.object({ api_key: apiKey, key: shownOnce(z.string()) }),
  }),
  revoke: defineProcedure({
    access: 'destructive',
    http: 'DELETE /api/org/api-keys/{api_key_id}',
    title: 'Revoke an API key',
    description: 'It answers 401 from now on. Admins only.',
    input: z.strictObject({ api_key_id: id }),
    output: deleted,
  }),
};

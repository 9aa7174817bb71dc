import * as z from 'zod';
import { type Check, judged } from '../support/check.js';
import type { Request } from '../support/http.js';
import type { LocalProof } from '../support/proof.js';
import { expectAnswer, sendPatiently } from '../support/rest.js';

const record = z.object({ id: z.string(), plan: z.string() });

/** Fields that a caller may not set must not be settable by naming them. */
export async function properties({ url, tenants }: LocalProof): Promise<Check[]> {
  const { Free: tenant, Enterprise: other } = tenants;
  const { admin, member, writeKey } = tenant;
  const org = { path: '/api/org', credential: admin.session };
  const before = await expectAnswer(url, org, record);
  const attempts: readonly (Request & { readonly name: string })[] = [
    { name: 'own plan', method: 'PATCH', ...org, body: { plan: 'Enterprise' } },
    { name: 'own id', method: 'PATCH', ...org, body: { name: 'x', id: other.id } },
    { name: 'prototype', method: 'PATCH', ...org, body: '{"name":"x","__proto__":{"plan":"Enterprise"}}' },
    {
      ...{ name: "another's project", path: '/api/projects', credential: writeKey },
      body: { name: 'x', organisation_id: other.id },
    },
    { name: 'id of a project', path: '/api/projects', credential: writeKey, body: { name: 'x', id: 'prj_mine' } },
    {
      ...{ name: 'own role', method: 'PATCH', path: `/api/org/members/${member.id}`, credential: member.session },
      body: { role: 'admin' },
    },
    {
      ...{ name: 'role and organisation', method: 'PATCH', path: `/api/org/members/${member.id}` },
      ...{ credential: admin.session, body: { role: 'member', organisation_id: other.id } },
    },
    {
      ...{ name: 'key of another', path: '/api/org/api-keys', credential: admin.session },
      body: { name: 'x', scope: 'ReadWrite', organisation_id: other.id },
    },
    {
      name: 'a greater scope',
      path: '/api/org/api-keys',
      credential: admin.session,
      body: { name: 'x', scope: 'Admin' },
    },
  ];
  const faults: string[] = [];
  for (const { name, ...request } of attempts) {
    const { status } = await sendPatiently(url, request);
    if (![400, 403, 422].includes(status)) faults.push(`${name}: ${status}`);
  }
  const after = await expectAnswer(url, org, record);
  if (after.plan !== before.plan || after.id !== before.id) faults.push('the plan or the id has changed');
  return [judged({ row: 'API3', name: 'fields that are not the caller’s' }, `${attempts.length} attempts`, faults)];
}

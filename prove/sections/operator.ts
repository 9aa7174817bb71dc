import { randomBytes } from 'node:crypto';
import { type Check, judged } from '../support/check.js';
import { type Request, send } from '../support/http.js';
import { inParallel } from '../support/in-parallel.js';
import type { LocalProof } from '../support/proof.js';

/** The operator's routes, with a body or a file that would change something or give something away. */
export const operatorRequests: readonly Omit<Request, 'credential'>[] = [
  { path: '/api/operator/organisations' },
  { path: '/api/operator/organisations', body: { name: 'Mine', plan: 'Enterprise' } },
  { method: 'PATCH', path: '/api/operator/organisations/org_any', body: { plan: 'Enterprise' } },
  { path: '/api/operator/password-resets', body: { email: 'admin@prove.invalid' } },
  { path: '/api/operator/domains', body: { organisation_id: 'org_any', domain: 'example.com' } },
  { path: '/api/operator/addresses', body: { organisation_id: 'org_any', email: 'admin@prove.invalid' } },
  { path: '/api/operator/feeds' },
  { method: 'POST', path: '/api/operator/feeds/sync' },
  { method: 'PUT', path: '/api/operator/feeds/osv?name=mine.ndjson&covers=npm', body: '{}' },
  { method: 'POST', path: '/api/operator/backups' },
  { path: '/api/operator/nothing' },
];

/** What the operator's own key opens, of that which changes nothing. A PostgreSQL server has its own tools for backups. */
const openedIn = ({ isEmbedded }: { readonly isEmbedded: boolean }): ReadonlyArray<Omit<Request, 'credential'>> => [
  { path: '/api/operator/organisations' },
  { path: '/api/operator/feeds' },
  ...(isEmbedded ? [{ method: 'POST', path: '/api/operator/backups' }] : []),
];

/** Guesses after which an address must have been told to wait. */
const guesses = 60;

/** No credential of an organisation opens the operator's routes; guessing keys is slowed down, and locks nobody out. */
export async function operatorRoutes({ url, tenants, instance }: LocalProof): Promise<Check[]> {
  const { admin, member, readKey, writeKey, bound } = tenants.Enterprise;
  const credentials = [null, admin.session, member.session, readKey, writeKey, bound.key, instance.jwtSecret];
  const faults: string[] = [];
  for (const request of operatorRequests) {
    for (const credential of credentials) {
      const { status } = await send(url, { ...request, credential });
      if (status !== 401 && status !== 429) faults.push(`${request.method ?? ''} ${request.path}: ${status}`);
    }
  }
  const opened = openedIn(instance);
  for (const request of opened) {
    const { status } = await send(url, { ...request, credential: instance.operatorKey });
    if (status !== 200) faults.push(`${request.method ?? 'GET'} ${request.path} with the operator key: ${status}`);
  }
  const ask = (credential: string) => send(url, { path: '/api/operator/organisations', credential });
  const wrong = await inParallel([...Array(guesses).keys()], 8, () => ask(randomBytes(32).toString('hex')));
  const slowed = wrong.filter(({ status }) => status === 429);
  const slow = [
    ...(slowed.length === 0 ? [`${guesses} wrong keys were not slowed down`] : []),
    ...(slowed.some(({ retryAfter }) => retryAfter === undefined) ? ['a 429 without Retry-After'] : []),
    ...(wrong.some(({ status }) => status !== 401 && status !== 429) ? ['a wrong key: neither 401 nor 429'] : []),
  ];
  const right = await ask(instance.operatorKey);
  if (right.status !== 200) slow.push(`the right key afterwards, from the same address: ${right.status}`);
  const tried = `${operatorRequests.length} routes, ${credentials.length} credentials; ${opened.length} with the operator key`;
  const figures = `${guesses} wrong keys, ${slowed.length} x 429; the right one afterwards: ${right.status}`;
  return [
    judged({ row: 'API5', name: 'operator routes' }, tried, faults),
    judged({ row: 'API2', name: 'guessing the operator key' }, figures, slow),
  ];
}

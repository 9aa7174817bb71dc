import { at } from '../support/at.js';
import type { TestPostern } from '../support/postern.js';
import { type World, withoutIdentity } from './world.js';

/** What a world holds, as its admin reads it. */
export async function stateOf(postern: TestPostern, { organisation, projectId }: World): Promise<unknown[]> {
  const project = `/api/projects/${projectId}`;
  const paths = [
    '/api/org',
    '/api/org/members',
    '/api/org/invites',
    '/api/org/api-keys',
    '/api/projects',
    project,
    '/api/groups',
  ];
  paths.push(
    `${project}/alerts`,
    `${project}/tech-stack`,
    `${project}/reachability/verdicts`,
    `${project}/sast/findings?state=all`,
    `${project}/dast/findings?state=all`,
    `${project}/dast/targets`,
    `${project}/dast/server-scan-jobs`,
    `${project}/containers/images`,
    `${project}/containers/findings?state=all`,
    `${project}/webhooks`,
    `${project}/vex/proposals`,
    '/api/org/issuers',
    '/api/org/domains',
    '/api/org/password-policy',
    '/api/session/identities',
    '/api/org/audit-log',
  );
  const state = [];
  for (const path of paths) state.push((await postern.call(organisation.admin.session, 'GET', path)).body);
  const ids = await postern.database.system((tx) =>
    tx.selectFrom('sessions').select('member_id').where('organisation_id', '=', organisation.id).execute(),
  );
  return [...state.map(comparable), ids.length];
}

/** What a request leaves whatever it does. */
const traces = new Set(['request_id', 'last_seen_at', 'last_used_at']);

/** Without the traces of requests. Rows of one rank are ordered by ids, which differ between worlds: by content instead. */
function comparable(body: unknown): unknown {
  const copy: unknown = JSON.parse(JSON.stringify(body, (key, value) => (traces.has(key) ? undefined : value)));
  const items = at(copy, 'items');
  if (Array.isArray(items)) items.sort((a, b) => contentOf(a).localeCompare(contentOf(b)));
  return copy;
}

function contentOf(row: unknown): string {
  return JSON.stringify(withoutIdentity(row));
}

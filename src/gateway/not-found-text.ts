import type { Resource } from '../procedures/problem.js';

/** The input key with the id of each kind of thing. Null for kinds that calls do not name by id. */
const idKeys = {
  route: null,
  organisation: null,
  member: 'member_id',
  invite: 'invite_id',
  api_key: 'api_key_id',
  project: 'project_id',
  alert: 'alert_id',
  tech_stack_item: 'item_id',
  verdict: 'verdict_id',
  image: 'image_id',
  target: 'target_id',
  scan_job: 'job_id',
  finding: 'finding_id',
  webhook: 'webhook_id',
  proposal: 'proposal_id',
  upload: 'upload_id',
  session: 'session_id',
} as const satisfies Record<Resource, string | null>;

/** Says what was not found. Where the service did not say which kind, all ids of the call are named. */
export function notFoundText(input: Readonly<Record<string, unknown>>, resource: Resource | undefined): string {
  if (resource === 'route') return 'the service does not offer this';
  if (resource !== undefined) {
    const key = idKeys[resource];
    const id = key === null ? undefined : input[key];
    return `${resource.replaceAll('_', ' ')} ${typeof id === 'string' ? `${id} ` : ''}was not found`;
  }
  const ids = Object.entries(input).flatMap(([key, id]) =>
    key.endsWith('_id') && typeof id === 'string' ? [`${key} ${id}`] : [],
  );
  return ['not found', ids.join(', ')].filter((part) => part !== '').join(': ');
}

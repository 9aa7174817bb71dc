import { type Likely, likelyName, maxLikely, type Reason, type Resource, reasons } from '../../procedures/problem.js';
import { cleanString } from '../untrusted/untrusted-text.js';

interface Kind {
  /** The input key with its id. Null for kinds that calls do not name by id. */
  readonly key: string | null;
  /** What names all of them: a tool, or a procedure where there is none. Null where nothing does. */
  readonly list: string | null;
}

const kinds = {
  route: { key: null, list: null },
  organisation: { key: null, list: null },
  member: { key: 'member_id', list: 'list_members' },
  invite: { key: 'invite_id', list: 'list_invites' },
  api_key: { key: 'api_key_id', list: 'apiKeys.list' },
  project: { key: 'project_id', list: 'list_projects' },
  // Its rows name their groups: a tool that every client has.
  group: { key: 'group', list: 'list_projects' },
  alert: { key: 'alert_id', list: 'list_alerts' },
  tech_stack_item: { key: 'item_id', list: 'list_tech_stack' },
  verdict: { key: 'verdict_id', list: 'list_reachability_verdicts' },
  image: { key: 'image_id', list: 'list_container_images' },
  target: { key: 'target_id', list: 'list_dast_targets' },
  scan_job: { key: 'job_id', list: 'list_dast_server_scan_jobs' },
  finding: { key: 'finding_id', list: 'the same list without finding_id' },
  webhook: { key: 'webhook_id', list: 'list_webhooks' },
  proposal: { key: 'proposal_id', list: 'vex.listProposals' },
  upload: { key: 'upload_id', list: 'uploads.list' },
  session: { key: 'session_id', list: 'session.list' },
  issuer: { key: 'issuer_id', list: 'signIn.listIssuers' },
  domain: { key: 'domain', list: 'signIn.listDomains' },
  identity: { key: 'identity_id', list: 'signIn.listIdentities' },
} as const satisfies Record<Resource, Kind>;

/** What the service reports of a 404. */
interface NotFound {
  readonly resource?: Resource | undefined;
  readonly reason?: Reason | undefined;
  readonly likely?: Likely | undefined;
}

/**
 * Says what was not found, what was probably meant, and what names all there are. Where the service did not say which kind, all ids of the
 * call are named.
 */
export function notFoundText(
  input: Readonly<Record<string, unknown>>,
  { resource, reason, likely = [] }: NotFound,
): string {
  if (resource === 'route') return 'the service does not offer this';
  if (resource === undefined) return idsText(input);
  const { key, list } = kinds[resource];
  const given = givenText(input, resource, key);
  const kind = resource.replaceAll('_', ' ');
  const named = namedText(likely);
  const lists = list === null ? '' : `${list} names them`;
  if (reason !== undefined && named !== '') return `${kind} ${given}${reasons[reason]}: ${named}`;
  const advice = [named === '' ? '' : `did you mean ${named}?`, lists].filter((part) => part !== '').join(' ');
  return `${kind} ${given}was not found${advice === '' ? '' : `: ${advice}`}`;
}

/** Ids with their names. */
export function namedText(likely: Likely): string {
  const names = shownNames(likely.map(({ name }) => name));
  return names.map((name, at) => `${likely[at]?.id} (${name})`).join(', ');
}

/**
 * Some names of the service's, cut, without what is hidden in them, and in quotes: an error names no fields, and these
 * are people's text.
 */
export function shownNames(names: readonly string[]): string[] {
  return names.slice(0, maxLikely).map((name) => JSON.stringify(likelyName(cleanString(name))));
}

function givenText(input: Readonly<Record<string, unknown>>, resource: Resource, key: string | null): string {
  const given = (key === null ? undefined : input[key]) ?? (resource === 'image' ? input['image'] : undefined);
  return typeof given === 'string' ? `${given} ` : '';
}

function idsText(input: Readonly<Record<string, unknown>>): string {
  const ids = Object.entries(input).flatMap(([key, id]) =>
    key.endsWith('_id') && typeof id === 'string' ? [`${key} ${id}`] : [],
  );
  return ['not found', ids.join(', ')].filter((part) => part !== '').join(': ');
}

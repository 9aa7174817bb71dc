import * as z from 'zod';
import { keysOf } from '../shared/schema/unwrap.js';
import { formatEncodings, formatTitles } from './scanner-formats.js';
import { hostsOfKinds } from './webhook-hosts.js';
import { id } from './wire.js';

/** Stable error codes of the REST API, with their HTTP status. */
export const problemStatus = {
  invalid_input: 422,
  malformed_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  plan_required: 403,
  not_found: 404,
  method_not_allowed: 405,
  too_slow: 408,
  conflict: 409,
  revision_mismatch: 412,
  too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const;

export type ProblemCode = keyof typeof problemStatus;

const problemCodes = z.enum(keysOf(problemStatus));

/** What a 404 is about. */
const resource = z.enum([
  'route',
  'organisation',
  'member',
  'invite',
  'api_key',
  'project',
  'group',
  'alert',
  'tech_stack_item',
  'verdict',
  'image',
  'target',
  'scan_job',
  'finding',
  'webhook',
  'proposal',
  'upload',
  'session',
  'issuer',
  'domain',
  'identity',
]);
export type Resource = z.infer<typeof resource>;

/** What a 409 or 412 is about, and what is wrong with a field that passes its schema. The same words on every transport. */
export const reasons = {
  not_a_cursor: 'is no cursor: pass next_cursor of an answer as it is, or leave it out to begin',
  cursor_of_another_list:
    'is of another list, or of this one with other filters: repeat those of the answer that gave it, or leave it out to begin',
  page_and_cursor: 'is not needed with a cursor: leave it out',
  name_taken: 'the name is already in use',
  already_member: 'this person is already a member',
  already_invited: 'an invite for this address is pending',
  several_organisations:
    'this person is a member of several organisations: name one by its id, in `organisation` when signing in, else in the header X-Organisation',
  domain_elsewhere: 'is proven by another organisation of this server: ask its operator',
  domain_not_proven:
    'needs the address to be in an e-mail domain that is proven to be the organisation’s (signIn.addDomain); else the person proves it by a mail or a sign-in',
  domain_not_shown: 'has no such TXT record (yet): DNS can take an hour',
  dns_unreachable: 'could not be looked up: DNS gave no answer',
  issuer_not_taken: 'is of an issuer that the organisation does not take: an admin adds it first (signIn.addIssuer)',
  not_of_issuer: 'is no good access token of this server’s issuer',
  identity_taken: 'this person of the issuer is another account here already, or this account another person’s',
  issuer_known: 'the organisation takes this issuer already',
  other_client: 'is not this server’s own issuer, so it needs client_id and client_secret',
  own_client: 'is of this server’s own client, which its operator configures',
  too_many_issuers: 'is one too many: an organisation takes 20 issuers at most',
  too_many_domains: 'is one too many: an organisation names 100 domains at most',
  several_accounts: 'is needed: this address has accounts in several organisations',
  not_member: 'this credential is not of the organisation that the request or the token names',
  insufficient_scope: 'this token may read alone: its scope lacks postern:write',
  wrong_password: 'is not the current password',
  reset_invalid: 'is no token for a new password, or it was used or is older than an hour: ask for a new one',
  no_mail: 'this server sends no mail: its operator sets SMTP_URL',
  proof_invalid:
    'is no link to this account’s address, or it was used or is older than a day: sign in as whom it names, or send another',
  own_password: 'your own password is changed with the current one (session.changePassword)',
  last_admin: 'the organisation needs at least one admin',
  already_tracked: 'the package is already tracked at this version from this source',
  already_resolved: 'the alert is resolved',
  already_overridden:
    'it has an override already: read it, then send its revision as expected_revision (If-Match) to replace it',
  needs_member_session: 'this needs a member’s session (sign in by e-mail and password); an API key cannot do it',
  ids_only: 'takes an id here, not a name: a name can pass to something else',
  several_match: 'means several: give the id of one',
  unknown_source: 'was never scanned here, so an empty list would say nothing',
  issuer_unreachable: 'the issuer cannot be reached, so its sign-ins and tokens must wait; API keys go on working',
  sign_in_expired:
    'is of no sign-in that is under way: it took longer than ten minutes, or its issuer was changed; begin again',
  sign_in_failed: 'does not fit this sign-in, by what the issuer says: begin again',
  sign_in_denied: 'the issuer has refused the sign-in',
  unknown_issuer: 'is no issuer by which one signs in here (signInOptions names them)',
  address_unverified: 'the issuer says of no e-mail address that it has verified it, so none counts',
  no_account: 'this sign-in is nobody’s here: ask an admin for an invite, or to take your domain’s people',
  account_unconfirmed:
    'an account with this address is here, but nobody has shown that it is this person’s: sign in by password once and link this sign-in, or ask an admin to confirm it',
  account_of_another:
    'the account with this address belongs to another sign-in at the same issuer: an admin can remove that',
  invite_for_another: 'the invite is for another address than the one that the issuer has verified',
  no_public_url: 'signing in by an issuer needs PUBLIC_URL: the operator sets it',
  cannot_switch: 'is none that this session can switch to: sign in there',
  password_sign_in_off: 'the organisation has turned passwords off: sign in by its issuer',
  needs_issuer: 'needs an issuer that the organisation takes: add one first (signIn.addIssuer)',
  needs_break_glass: 'is needed to turn passwords off: an active admin with a password, who may go on using it',
  break_glass: 'this admin may sign in while passwords are off: turn them on, or name another one, first',
  too_many_packages: 'is in graphs of more packages than one answer reads: name a project_id too',
  no_cursor: 'is no next_cursor of an answer before',
  changed_document: 'is of a document that has changed since: begin again without it',
  unknown_actor:
    'is no id, name or e-mail of a member or key, nor of anybody in the audit log: list_members names the members',
  unknown_action: 'is no action of the audit log, such as verdict.override, and no first part of one, such as verdict',
  not_in_future: 'must lie in the future',
  unknown_project: 'is no project of this organisation: list_projects names them',
  unknown_procedure: 'is no procedure that needs a credential, as projects.create does',
  unknown_member: 'is no member of this organisation: list_members names them',
  project_or_group: 'give the project or the group whose events are sent: one of the two',
  groups_nest_once:
    'groups nest one level deep: the parent is another group that is in none, and a group with groups in it is in none',
  revision_mismatch: 'it was changed since you read it: read it again, then decide',
  idempotency_key_reused: 'this Idempotency-Key was used with another request',
  in_progress: 'a request with this Idempotency-Key is still running',
  invite_invalid: 'is not a pending invite: ask for a new one',
  not_a_version: 'is not a version of its ecosystem',
  scope_without_at: 'names a scope of npm without its @: @angular/core is pkg:npm/%40angular/core',
  not_a_purl: 'is not a package URL: pkg:npm/lodash@4.17.21 is one',
  purl_type:
    'is a package URL of a type that has no advisories here: npm, pypi, golang, cargo, maven, gem, nuget and composer have them',
  purl_name:
    'names no package of its type, as these do: pkg:npm/%40scope/name@1.0, pkg:maven/group/artifact@1.0, pkg:composer/vendor/name@1.0, pkg:pypi/name@1.0',
  purl_version: 'is a package URL without a version: @ and the version end it',
  duplicate: 'names the same package twice',
  not_vex: 'is not a VEX document: CycloneDX 1.4 to 1.7 with vulnerabilities, OpenVEX, or CSAF 2, each in JSON',
  too_many_statements: 'has more than 200,000 statements: split it',
  proposal_decided: 'it is not pending: a member has decided it, or a newer document supersedes it',
  not_sbom: 'is not an SBOM: CycloneDX 1.2 to 1.7 (JSON, XML), or SPDX 2.2, 2.3 or 3.0 (JSON)',
  not_sarif: `is not a ${formatTitles('code')} report`,
  not_zap: `is not a ${formatTitles('running_app')} report, in ${formatEncodings('running_app')}`,
  not_container_report: `is not a container report of ${formatTitles('containers')}, in ${formatEncodings('containers')}`,
  no_image_ref: 'names no image: give its ref in image',
  not_an_image_ref: 'is not the reference of an image, such as ghcr.io/acme/shop:1.2',
  several_images: 'cannot rename the images of a report that names several: leave it out',
  forbidden_address: 'must not lead to a private, loopback, link-local or metadata address',
  wrong_kind_of_address: `is not an https address of this kind of webhook: ${hostsOfKinds}`,
  target_known: 'the target is registered already',
  other_target: 'is a scan of another target than those in the report',
  job_over: 'the scan job is over: it is done, or has failed',
  no_change: 'names nothing to change',
  given_too: 'is given too: leave one of them out',
  quota_exceeded: 'the plan’s limit is reached: delete what is not needed, or ask for a larger plan',
  mostly_removed:
    'this removes most of the source’s packages: is another lock file synced under the same source? Then give each a source of its own. If it is meant, send force: true',
} as const;

export type Reason = keyof typeof reasons;

const reason = z.enum(keysOf(reasons));

/** Of a `quota_exceeded`: what the plan limits, how many it includes, how many there are, and how many more were asked for. */
const quota = z.object({
  of: z.enum(['projects', 'findings', 'api_keys', 'webhooks', 'members', 'targets', 'groups']),
  plan: z.enum(['Free', 'Business', 'Enterprise']),
  limit: z.int(),
  used: z.int(),
  added: z.int(),
});

export type Quota = z.infer<typeof quota>;

const quotaNames: Readonly<Record<Quota['of'], string>> = {
  projects: 'projects',
  findings: 'findings',
  api_keys: 'API keys',
  webhooks: 'webhooks',
  members: 'members and pending invites',
  targets: 'targets',
  groups: 'groups of projects',
};

/** The same words on every transport. */
export function quotaText({ of, plan, limit, used, added }: Quota): string {
  const asked = `${used} are there and ${added} more ${added === 1 ? 'was' : 'were'} asked for`;
  return `the plan ${plan} includes ${limit} ${quotaNames[of]}; ${asked}: delete what is not needed, or ask for a larger plan`;
}

/** Things and values that an error names, at most, and characters of each. */
export const maxLikely = 5;
const maxLikelyLength = 300;

/** What a caller may have meant, the likeliest first. Only what this caller may see. */
const likely = z.array(z.object({ id, name: z.string() }));
export type Likely = z.output<typeof likely>;

/** A name cut to what an error takes. */
export function likelyName(text: string): string {
  return text.length <= maxLikelyLength ? text : `${text.slice(0, maxLikelyLength - 1)}…`;
}

/**
 * The service's error body: RFC 9457 `application/problem+json`. Readers act on `code`, `resource`, `reason` and
 * `errors[].field`; the texts are for people.
 */
export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: problemCodes,
  detail: z.string().optional(),
  resource: resource.optional(),
  reason: reason.optional(),
  /** Of a `not_found`; or the organisations of a `several_organisations`. */
  likely: likely.optional(),
  errors: z
    .array(
      z.object({
        field: z.string(),
        message: z.string(),
        reason: reason.optional(),
        /** Values that the field could have: some of them where there are many. */
        known: z.array(z.string()).optional(),
      }),
    )
    .optional(),
  /** Of a `mostly_removed`: packages that would go, and those that the source has. */
  removal: z.object({ removed: z.int(), of: z.int() }).optional(),
  quota: quota.optional(),
  request_id: z.string().optional(),
});

export type Problem = z.infer<typeof problem>;

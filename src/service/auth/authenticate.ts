import { timingSafeEqual } from 'node:crypto';
import { type QueryCreator, sql } from 'kysely';
import { apiKeyPrefix } from '../../shared/http/api-key-prefix.js';
import { type RequestOrigin, recordAudit } from '../audit/record-audit.js';
import type { Schema } from '../db/schema.js';
import { byId, refersTo } from '../db/scope.js';
import { ApiError, forbidden, severalOrganisations } from '../http/api-error.js';
import { type Account, accountsOf, keepIdentity } from './accounts.js';
import { hashSecret, isWellFormedApiKey } from './api-key.js';
import { type Caller, forAgent, type Grant, type Plan } from './caller.js';
import { type CallerCache, lastUsePrecisionMs } from './caller-cache.js';
import type { Door, IssuerTokens, TokenHolder } from './issuer-tokens.js';
import type { SessionTokens } from './session-token.js';

/** The credential of an Authorization header; undefined where there is none. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
}

/** Runs statements that stand alone, as `Database.statements` does. */
export type RunStatements = <T>(work: (db: QueryCreator<Schema>) => Promise<T>) => Promise<T>;

interface Sources {
  readonly statements: RunStatements;
  readonly tokens: SessionTokens;
  /** Of the OAuth issuer, where there is one. */
  readonly issuerTokens: IssuerTokens | null;
  readonly cache: CallerCache;
}

/** What a request says of who makes it. */
export interface Claimed {
  readonly authorization: string | undefined;
  /** `X-Organisation`: an id. */
  readonly organisation: string | undefined;
  readonly door: Door;
  readonly origin: RequestOrigin;
}

/**
 * Who is calling. Missing, malformed, unknown, revoked, expired and ended credentials all get the same 401. A request costs
 * at most one query, of a token two, and one update a minute. An OAuth token whose issuer cannot be reached gets 503. A credential that is
 * not of the organisation that the request names gets 403, and so does a token of a person with accounts in several that names none.
 */
export async function authenticate(
  { statements, tokens, issuerTokens, cache }: Sources,
  { authorization, organisation, door, origin }: Claimed,
  now: Date,
): Promise<Caller> {
  const credential = bearerOf(authorization);
  const caller = credential === undefined ? undefined : await callerOf(credential);
  if (caller === undefined) throw new ApiError('unauthenticated');
  if (organisation !== undefined && organisation !== caller.organisationId) throw forbidden('not_member');
  return caller;

  async function callerOf(text: string): Promise<Caller | undefined> {
    if (text.startsWith(apiKeyPrefix)) {
      return isWellFormedApiKey(text)
        ? cache.find(text, now, () => statements((db) => callerOfKey(db, text, now)))
        : undefined;
    }
    const session = await tokens.read(text);
    if (session !== undefined)
      return cache.find(text, now, () => statements((db) => callerOfSession(db, session, now)));
    const holder = await issuerTokens?.read(text, door);
    if (holder === undefined) return undefined;
    return cache.find(`${text} ${organisation ?? ''}`, now, () =>
      statements((db) => callerOfHolder(db, { holder, organisation, origin }, now)),
    );
  }
}

/** In groups, and in the groups in these. */
const grantsOfMember = sql<readonly Grant[]>`(
  select coalesce(jsonb_agg(jsonb_build_object('groupId', held.id, 'role', given.role)), '[]')
  from group_members as given
  join project_groups as held on held.organisation_id = given.organisation_id
    and (held.id = given.group_id or held.parent_id = given.group_id)
  where given.organisation_id = members.organisation_id and given.member_id = members.id
)`.as('grants');

/** Looked up in the one shard of the organisation, which a join is not. */
const issuerOfSession = sql<string | null>`(
  select signed.issuer from identities as signed where ${refersTo('sessions.identity_id', 'signed')}
)`.as('issuer');

async function callerOfKey(db: QueryCreator<Schema>, key: string, now: Date): Promise<Caller | undefined> {
  const hash = hashSecret(key);
  const row = await db
    .selectFrom('api_keys')
    .innerJoin('organisations', 'organisations.id', 'api_keys.organisation_id')
    .select(['api_keys.organisation_id', 'api_keys.id', 'api_keys.name', 'api_keys.scope', 'api_keys.key_hash'])
    .select(['api_keys.last_used_at', 'api_keys.expires_at', 'api_keys.project_ids', 'organisations.plan'])
    .where('api_keys.key_hash', '=', hash)
    .where('api_keys.revoked_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined || !timingSafeEqual(row.key_hash, hash)) return undefined;
  if (row.expires_at !== null && row.expires_at <= now) return undefined;
  const before = new Date(now.getTime() - lastUsePrecisionMs);
  if (row.last_used_at === null || row.last_used_at < before) {
    await db
      .updateTable('api_keys')
      .set({ last_used_at: now })
      .where(byId(row.organisation_id, row.id))
      .where((e) => e.or([e('last_used_at', 'is', null), e('last_used_at', '<', before)]))
      .execute();
  }
  const { scope, expires_at: expiresAt, project_ids: projectIds } = row;
  return { kind: 'api_key', ...known(row), scope, expiresAt, projectIds };
}

async function callerOfSession(
  db: QueryCreator<Schema>,
  session: { readonly id: string; readonly memberId: string },
  now: Date,
): Promise<Caller | undefined> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('members', (join) => join.on(refersTo('sessions.member_id', 'members')))
    .innerJoin('organisations', 'organisations.id', 'sessions.organisation_id')
    .select(['sessions.organisation_id', 'sessions.expires_at', 'organisations.plan'])
    .select(['members.id', 'members.name', 'members.role', 'members.last_seen_at'])
    .select([grantsOfMember, issuerOfSession])
    .where('sessions.id', '=', session.id)
    .where('sessions.member_id', '=', session.memberId)
    .where('sessions.expires_at', '>', now)
    .where('members.deactivated_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  await noteSeen(db, row, now);
  const { role, grants, issuer, expires_at: expiresAt } = row;
  return { kind: 'member', ...known(row), role, grants, issuer, access: 'write', sessionId: session.id, expiresAt };
}

interface Held {
  readonly holder: TokenHolder;
  /** Id of the organisation that the request names. */
  readonly organisation: string | undefined;
  readonly origin: RequestOrigin;
}

/**
 * The account of who holds a token, in the organisation that is named, or in the only one.
 */
async function callerOfHolder(
  db: QueryCreator<Schema>,
  { holder, organisation, origin }: Held,
  now: Date,
): Promise<Caller | undefined> {
  const account = theOnly(await accountsOf(db, holder), holder.organisations, organisation);
  if (account === undefined) return undefined;
  const isNew = account.identityId === null;
  // Another subject may have taken the account since it was read.
  const identityId = isNew ? await keepIdentity(db, account, holder) : account.identityId;
  if (identityId === undefined) return undefined;
  const row = await db
    .selectFrom('members')
    .innerJoin('organisations', 'organisations.id', 'members.organisation_id')
    .select(['members.organisation_id', 'members.id', 'members.name', 'members.role', 'members.last_seen_at'])
    .select('organisations.plan')
    .select(grantsOfMember)
    .where('members.organisation_id', '=', account.organisationId)
    .where('members.id', '=', account.memberId)
    .where('members.deactivated_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  await noteSeen(db, row, now);
  const { issuer, subject, access, expiresAt } = holder;
  if (isNew) {
    const actor = { kind: 'member', id: row.id, name: row.name, sessionId: null, issuer } as const;
    const target = { kind: 'identity', id: identityId };
    const event = { action: 'identity.link', target, after: { issuer, subject } } as const;
    await recordAudit(db, { organisationId: row.organisation_id, actor, ...origin }, event);
  }
  const role = forAgent(row.role);
  const grants = row.grants.map((grant) => ({ ...grant, role: forAgent(grant.role) }));
  return { kind: 'member', ...known(row), role, grants, issuer, access, sessionId: null, expiresAt };
}

/**
 * The account that is meant; undefined where the person has none at all. The request chooses among those that the token is for: a token for
 * one organisation is good for no other.
 */
function theOnly(
  accounts: readonly Account[],
  ofToken: readonly string[],
  organisation: string | undefined,
): Account | undefined {
  const meant = accounts
    .filter((each) => ofToken.length === 0 || ofToken.some((name) => isNamed(each, name)))
    .filter(({ organisationId }) => organisation === undefined || organisationId === organisation);
  const [account, ...others] = meant;
  if (others.length > 0)
    throw severalOrganisations(
      'forbidden',
      meant.map(({ organisationId: id, organisationName: name }) => ({ id, name })),
    );
  if (account === undefined && accounts.length > 0) throw forbidden('not_member');
  return account;
}

/** Whether a token's issuer means an organisation, by its id or, in any case of letters, its name. */
function isNamed({ organisationId, organisationName }: Account, named: string): boolean {
  return organisationId === named || organisationName.toLowerCase() === named.toLowerCase();
}

interface KnownRow {
  readonly organisation_id: string;
  readonly plan: Plan;
  readonly id: string;
  readonly name: string;
}

function known({ organisation_id: organisationId, plan, id, name }: KnownRow) {
  return { organisationId, plan, id, name };
}

async function noteSeen(
  db: QueryCreator<Schema>,
  member: { readonly organisation_id: string; readonly id: string; readonly last_seen_at: Date | null },
  now: Date,
): Promise<void> {
  const before = new Date(now.getTime() - lastUsePrecisionMs);
  if (member.last_seen_at !== null && member.last_seen_at >= before) return;
  await db
    .updateTable('members')
    .set({ last_seen_at: now })
    .where(byId(member.organisation_id, member.id))
    .where((e) => e.or([e('last_seen_at', 'is', null), e('last_seen_at', '<', before)]))
    .execute();
}

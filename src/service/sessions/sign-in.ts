import { sql } from 'kysely';
import { networkOf } from '../../shared/limits/network.js';
import type { Handlers, PublicContext } from '../api/handler.js';
import { recordAudit } from '../audit/record-audit.js';
import { inHashingQueue } from '../auth/hashing.js';
import { hashesOf } from '../auth/password.js';
import { type SessionTokens, sessionEnd } from '../auth/session-token.js';
import { createSignInThrottle } from '../auth/sign-in-throttle.js';
import type { Transaction } from '../db/database.js';
import { newId } from '../db/ids.js';
import { byId } from '../db/scope.js';
import { ApiError, severalOrganisations } from '../http/api-error.js';
import { isKnownAddress, rememberAddress } from './known-addresses.js';

/** Expired sessions that one sign-in removes. */
const removalBatchSize = 100;

/** Accounts with one address that one try to sign in is held against, at most. */
const maxTried = 100;

/**
 * Exchanges email and password for a token. Every failure has the same answer, and takes the same time. An address may have accounts in
 * several organisations, each with a password of its own: where the password is that of several, the organisation has to be named.
 */
export function signInWith(tokens: SessionTokens): Handlers['session']['create'] {
  const throttle = createSignInThrottle();
  return async (ctx, { email: entered, password, organisation }) => {
    const email = entered.trim().toLowerCase();
    const network = networkOf(ctx.ip);
    const isKnown = () => ctx.system((tx) => isKnownAddress(tx, email, network));
    const attempt = await throttle.begin({ email, network }, ctx.now, isKnown);
    try {
      // The query too: of sign-ins without end, two at a time reach the database.
      const knownFrom = attempt.onlyKnown ? network : null;
      const [member, ...others] = await inHashingQueue(network, () =>
        membersWith(ctx, { email, organisation, knownFrom }, password),
      );
      if (member === undefined) throw new ApiError('unauthenticated');
      if (others.length > 0) throw severalOf([member, ...others]);
      const session = await ctx.system((tx) => startSession(tx, member, ctx));
      attempt.succeed();
      const token = await tokens.sign({ id: session.id, memberId: member.id, expiresAt: session.expires_at });
      return { token, expires_at: session.expires_at };
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'unauthenticated') attempt.withdraw();
      throw error;
    }
  };
}

interface Named {
  readonly email: string;
  /** Id of the organisation. */
  readonly organisation: string | undefined;
  /**
   * Only members who have signed in from this network before; null: all. Who has an account for the address could guess
   * at others' else.
   */
  readonly knownFrom: string | null;
}

/** The accounts whose password this is. */
async function membersWith({ system }: PublicContext, named: Named, password: string): Promise<SignedIn[]> {
  const accounts = await system((tx) => accountsWith(tx, named));
  const matching = await hashesOf(
    password,
    accounts.flatMap(({ password_hash }) => password_hash ?? []),
  );
  return accounts.filter(({ password_hash }) => password_hash !== null && matching.has(password_hash));
}

/** Those whose address is proven come first: an account that somebody else made for the address pushes none of them out. */
function accountsWith(tx: Transaction, { email, organisation, knownFrom }: Named): Promise<SignedIn[]> {
  let accounts = tx
    .selectFrom('members')
    .innerJoin('organisations', 'organisations.id', 'members.organisation_id')
    .where('members.email', '=', email)
    .where('members.deactivated_at', 'is', null)
    .where((e) => e.or([e('password_sign_in', '=', true), e('break_glass_id', '=', e.ref('members.id'))]));
  if (organisation !== undefined) accounts = accounts.where('members.organisation_id', '=', organisation);
  if (knownFrom !== null)
    accounts = accounts.where(({ exists, selectFrom, ref }) =>
      exists(
        selectFrom('known_addresses as known')
          .whereRef('known.organisation_id', '=', ref('members.organisation_id'))
          .whereRef('known.member_id', '=', ref('members.id'))
          .where('known.address', '=', knownFrom),
      ),
    );
  return accounts
    .select(['members.organisation_id', 'members.id', 'members.name', 'members.password_hash'])
    .select('organisations.name as organisation_name')
    .orderBy(sql`members.proven_by is null`)
    .orderBy('members.created_at')
    .limit(maxTried)
    .execute();
}

function severalOf(accounts: readonly SignedIn[]): ApiError {
  const named = accounts.map(({ organisation_id: id, organisation_name: name }) => ({ id, name }));
  return severalOrganisations('conflict', named);
}

interface SignedIn {
  readonly organisation_id: string;
  readonly organisation_name: string;
  readonly id: string;
  readonly name: string;
  readonly password_hash: string | null;
}

/** A member who was removed or deactivated after the password check gets no session. */
async function startSession(tx: Transaction, member: SignedIn, ctx: Omit<PublicContext, 'system'>) {
  await tx
    .selectFrom('members')
    .select('id')
    .where(byId(member.organisation_id, member.id))
    .where('deactivated_at', 'is', null)
    // Nor one whose password was changed meanwhile: that has ended the sessions that it knew of.
    .where('password_hash', '=', member.password_hash)
    .forShare()
    .executeTakeFirstOrThrow(() => new ApiError('unauthenticated'));
  return beginSession(tx, member, ctx);
}

interface Beginning {
  readonly organisation_id: string;
  readonly id: string;
  readonly name: string;
  /** By which the member has signed in; null: by password. */
  readonly identity?: { readonly id: string; readonly issuer: string } | null;
}

/** A session of a member who has shown who it is. */
export async function beginSession(
  tx: Transaction,
  { organisation_id, id: member_id, name, identity = null }: Beginning,
  { now, ip, device, requestId }: Omit<PublicContext, 'system'>,
) {
  await removeExpired(tx, now);
  const session = await tx
    .insertInto('sessions')
    .values({
      ...{ organisation_id, id: newId('ses'), member_id, ip, expires_at: sessionEnd(now) },
      identity_id: identity?.id ?? null,
    })
    .returning(['id', 'expires_at'])
    .executeTakeFirstOrThrow();
  await rememberAddress(tx, { organisation_id, id: member_id }, networkOf(ip), now);
  const known = { sessionId: session.id, issuer: identity?.issuer ?? null };
  const actor = { kind: 'member', id: member_id, name, ...known } as const;
  await recordAudit(
    tx,
    { organisationId: organisation_id, actor, ip, device, requestId },
    {
      action: 'session.create',
      target: { kind: 'session', id: session.id },
      after: { expires_at: session.expires_at },
    },
  );
  return session;
}

/** Skips the sessions that another sign-in is removing now. */
async function removeExpired(tx: Transaction, now: Date): Promise<void> {
  await tx
    .deleteFrom('sessions')
    .where('id', 'in', (expired) =>
      expired
        .selectFrom('sessions')
        .select('id')
        .where('expires_at', '<=', now)
        .orderBy('expires_at')
        .limit(removalBatchSize)
        .forUpdate()
        .skipLocked(),
    )
    .execute();
}

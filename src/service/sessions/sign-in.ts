import type { Handlers, PublicContext } from '../api/handler.js';
import { recordAudit } from '../audit/record-audit.js';
import { inHashingLine } from '../auth/hashing-line.js';
import { networkOf } from '../auth/network.js';
import { passwordMatches } from '../auth/password.js';
import { type SessionTokens, sessionEnd } from '../auth/session-token.js';
import { createSignInThrottle } from '../auth/sign-in-throttle.js';
import type { Transaction } from '../db/database.js';
import { newId } from '../db/ids.js';
import { byId } from '../db/scope.js';
import { ApiError } from '../http/api-error.js';
import { isKnownAddress, rememberAddress } from './known-addresses.js';

/** Expired sessions that one sign-in removes. */
const removalBatchSize = 100;

/** Exchanges email and password for a token. Every failure has the same answer, and takes the same time. */
export function signInWith(tokens: SessionTokens): Handlers['session']['create'] {
  const throttle = createSignInThrottle();
  return async (ctx, { email: entered, password }) => {
    const email = entered.trim().toLowerCase();
    const network = networkOf(ctx.ip);
    const isKnown = () => ctx.system((tx) => isKnownAddress(tx, email, network));
    const attempt = await throttle.begin({ email, network }, ctx.now, isKnown);
    try {
      // The query too: of sign-ins without end, two at a time reach the database.
      const member = await inHashingLine(network, () => memberWith(ctx, email, password));
      if (member === undefined) throw new ApiError('unauthenticated');
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

async function memberWith({ system }: PublicContext, email: string, password: string) {
  const member = await system((tx) => memberByEmail(tx, email));
  return (await passwordMatches(member?.password_hash, password)) ? member : undefined;
}

function memberByEmail(tx: Transaction, email: string) {
  return tx
    .selectFrom('members')
    .select(['organisation_id', 'id', 'name', 'password_hash'])
    .where('email', '=', email)
    .executeTakeFirst();
}

interface SignedIn {
  readonly organisation_id: string;
  readonly id: string;
  readonly name: string;
  readonly password_hash: string;
}

/** A member who was removed after the password check gets no session. */
async function startSession(tx: Transaction, member: SignedIn, { now, ip, requestId }: Omit<PublicContext, 'system'>) {
  await removeExpired(tx, now);
  await tx
    .selectFrom('members')
    .select('id')
    .where(byId(member.organisation_id, member.id))
    // Nor one whose password was changed meanwhile: that has ended the sessions that it knew of.
    .where('password_hash', '=', member.password_hash)
    .forShare()
    .executeTakeFirstOrThrow(() => new ApiError('unauthenticated'));
  const session = await tx
    .insertInto('sessions')
    .values({
      organisation_id: member.organisation_id,
      id: newId('ses'),
      member_id: member.id,
      ip,
      expires_at: sessionEnd(now),
    })
    .returning(['id', 'expires_at'])
    .executeTakeFirstOrThrow();
  await rememberAddress(tx, member, networkOf(ip), now);
  const actor = { kind: 'member', id: member.id, name: member.name } as const;
  await recordAudit(
    tx,
    { organisationId: member.organisation_id, actor, ip, requestId },
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

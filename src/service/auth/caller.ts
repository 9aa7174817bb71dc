import type * as z from 'zod';
import type { apiKeyScope } from '../../procedures/api-keys.js';
import type { GrantedRole, Plan, Role } from '../../procedures/organisation.js';
import type { Tenant } from '../db/database.js';
import { ApiError } from '../http/api-error.js';

export type { Plan, Role };

type ApiKeyScope = z.infer<typeof apiKeyScope>;

interface Known {
  readonly organisationId: string;
  readonly plan: Plan;
  readonly id: string;
  readonly name: string;
}

/** A role of a member in a group of projects. One in the group that this group is in counts here too. */
export interface Grant {
  readonly groupId: string;
  readonly role: GrantedRole;
}

/** An agent holds a token: with an admin's rights it could make itself keys and members that outlive it. */
export function forAgent<R extends Role>(role: R): R | 'member' {
  return role === 'admin' ? 'member' : role;
}

/** Who makes a request, as the credential proved. */
export type Caller =
  | (Known & {
      readonly kind: 'member';
      readonly role: Role;
      readonly grants: readonly Grant[];
      /** Null: by a token of the OAuth issuer. */
      readonly sessionId: string | null;
      /** Who has said that it is this person; null: the person has signed in by password. */
      readonly issuer: string | null;
      /** What the token may be used for, whatever the role. */
      readonly access: 'read' | 'write';
      readonly expiresAt: Date;
    })
  | (Known & {
      readonly kind: 'api_key';
      readonly scope: ApiKeyScope;
      /** Null: it does not expire. */
      readonly expiresAt: Date | null;
      /** The projects that the key is bound to; null: all, and what belongs to none. */
      readonly projectIds: readonly string[] | null;
    });

export type Member = Extract<Caller, { kind: 'member' }>;

/** A member who has signed in here. Throws for what only a session can do: to renew or end it, or to change the password. */
export function signedIn(caller: Caller): Member & { readonly sessionId: string } {
  if (caller.kind !== 'member' || caller.sessionId === null)
    throw new ApiError('forbidden', { detail: 'only for sessions that began by signing in here' });
  return { ...caller, sessionId: caller.sessionId };
}

/** Whose rows the caller's transactions see. */
export function tenantOf(caller: Caller): Tenant {
  const { organisationId } = caller;
  if (caller.kind === 'api_key') return { organisationId, projectIds: caller.projectIds };
  if (caller.role !== 'none') return { organisationId, projectIds: null };
  return { organisationId, projectIds: null, groupIds: caller.grants.map(({ groupId }) => groupId) };
}

/** The caller as the audit log names it. */
export function actorOf(caller: Caller) {
  const { id, name } = caller;
  return caller.kind === 'member'
    ? { kind: caller.kind, id, name, sessionId: caller.sessionId, issuer: caller.issuer }
    : { kind: caller.kind, id, name };
}

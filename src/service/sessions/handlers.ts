import { permissions } from '../../procedures/permissions.js';
import type { Handlers } from '../api/handler.js';
import { type Caller, forAgent } from '../auth/caller.js';
import { isGuardedPath, needsGrant, requirePermission } from '../auth/permissions.js';
import type { SessionTokens } from '../auth/session-token.js';
import { byId } from '../db/scope.js';
import { ApiError, invalidField, notFound } from '../http/api-error.js';
import { groupsOfMember } from '../organisations/member-groups.js';
import { memberColumns } from '../organisations/members.js';
import { changePasswordWith, resetPassword } from './change-password.js';
import { ownSessions } from './list-sessions.js';
import { confirmAddress, proveAddressWith } from './prove-address.js';
import { renewWith } from './renew.js';
import { signInWith } from './sign-in.js';

type ByIssuers =
  | ('signInOptions' | 'beginSignIn' | 'finishSignIn' | 'chooseOrganisation')
  | ('listOrganisations' | 'switchOrganisation' | 'end');

/** All but those that issuers have to do with, which a higher layer has. */
export function sessionHandlers(tokens: SessionTokens, canMail: boolean): Omit<Handlers['session'], ByIssuers> {
  return {
    create: signInWith(tokens),
    get: getSessionWith(canMail),
    renew: renewWith(tokens),
    ...ownSessions,
    changePassword: changePasswordWith(),
    resetPassword,
    proveAddress: proveAddressWith(canMail),
    confirmAddress,
  };
}

function getSessionWith(sends_mail: boolean): Handlers['session']['get'] {
  return async ({ tx, caller, organisationId }, { procedure }) => {
    if (procedure !== undefined) requireMayCall(procedure, caller);
    const organisation = await tx
      .selectFrom('organisations')
      .select(['id', 'name', 'plan'])
      .where('id', '=', organisationId)
      .executeTakeFirstOrThrow(() => notFound('organisation'));
    if (caller.kind === 'api_key') {
      const { kind, id, name, scope, expiresAt: expires_at, projectIds } = caller;
      const project_ids = projectIds === null ? null : [...projectIds];
      return { organisation, sends_mail, caller: { kind, id, name, scope, expires_at, project_ids } };
    }
    const member = await tx
      .selectFrom('members')
      .select(memberColumns)
      .select(groupsOfMember)
      .where(byId(organisationId, caller.id))
      // Removed after the credential was checked.
      .executeTakeFirstOrThrow(() => new ApiError('unauthenticated'));
    const { kind, role, access, issuer, sessionId, expiresAt: expires_at } = caller;
    const groups =
      sessionId === null ? member.groups.map((group) => ({ ...group, role: forAgent(group.role) })) : member.groups;
    return {
      organisation,
      sends_mail,
      caller: { kind, member: { ...member, role, groups }, access, issuer, expires_at },
    };
  };
}

function requireMayCall(procedure: string, caller: Caller): void {
  if (!isGuardedPath(procedure)) throw invalidField('procedure', 'unknown_procedure');
  const permission = permissions[procedure];
  // Where a role in a group may be enough, it depends on the project.
  if (!needsGrant(permission, caller)) requirePermission(permission, caller);
}

import type { Procedure } from '../../procedures/define.js';
import { type CallerKind, type GuardedPath, type Permission, permissions } from '../../procedures/permissions.js';
import { reasons } from '../../procedures/problem.js';
import type { Tenant } from '../db/database.js';
import { ApiError, notFound } from '../http/api-error.js';
import { type Caller, type Member, type Plan, type Role, tenantOf } from './caller.js';

/** Whether a procedure, as `alerts.list`, needs a credential. */
export function isGuardedPath(name: string): name is GuardedPath {
  return Object.hasOwn(permissions, name);
}

const planOrder: readonly Plan[] = ['Free', 'Business', 'Enterprise'];

function kindOf(caller: Caller): CallerKind {
  if (caller.kind === 'member') return caller.role;
  return caller.scope === 'ReadWrite' ? 'write_key' : 'read_key';
}

/** Whether it depends on the project if the caller may call it: by the role in the organisation no, by that in a group of projects yes. */
export function needsGrant({ callers }: Permission, caller: Caller): caller is Member {
  if (caller.kind !== 'member' || callers.includes(caller.role)) return false;
  return caller.grants.some(({ role }) => callers.includes(role));
}

/**
 * Rejects a caller that the permission does not name (`forbidden`; `unauthenticated` for a key where keys do not count),
 * or whose plan is too small (`plan_required`).
 *
 * @param roleHere a member's role in the project that the call is about
 */
export function requirePermission(permission: Permission, caller: Caller, roleHere?: Role): void {
  const { callers, plan, rejectsKeys, rejectsBoundKeys } = permission;
  if (rejectsKeys === true && caller.kind === 'api_key') {
    const reason = 'needs_member_session';
    throw new ApiError('unauthenticated', { reason, detail: reasons[reason] });
  }
  const kind = roleHere ?? kindOf(caller);
  if (!callers.includes(kind)) {
    const where = roleHere === undefined ? 'in the organisation' : 'in the project';
    throw new ApiError('forbidden', { detail: refusalOf(kind, permission, where) });
  }
  if (rejectsBoundKeys === true && projectsOf(caller) !== null) {
    throw new ApiError('forbidden', {
      detail: 'this API key is bound to projects, and this is about the organisation',
    });
  }
  if (plan !== undefined && planOrder.indexOf(caller.plan) < planOrder.indexOf(plan)) {
    const enough = planOrder.slice(planOrder.indexOf(plan)).join(' or ');
    throw new ApiError('plan_required', { detail: `this needs the plan ${enough}` });
  }
}

function refusalOf(kind: CallerKind, { callers }: Permission, where: string): string {
  const isKey = kind === 'read_key' || kind === 'write_key';
  if (isKey && callers.includes('write_key')) return 'this API key is read-only';
  const roles = callers.filter((each) => each !== 'read_key' && each !== 'write_key').join(' or ');
  return isKey ? `only for ${roles} sessions` : `needs the role ${roles}, and yours ${where} is ${kind}`;
}

/** Rejects a token whose scope is to read where the procedure does more. */
export function requireScope({ access }: Procedure, caller: Caller): void {
  if (access === 'read' || caller.kind !== 'member' || caller.access === 'write') return;
  const reason = 'insufficient_scope';
  throw new ApiError('forbidden', { reason, detail: reasons[reason] });
}

/**
 * Rejects a project that the caller's key is not bound to, as one that does not exist. Row-level security hides it as well:
 * this comes first, so that nothing is read or received for it.
 */
export function requireProject(projectId: unknown, caller: Caller): void {
  const bound = projectsOf(caller);
  if (bound !== null && typeof projectId === 'string' && !bound.includes(projectId)) throw notFound('project');
}

/** Whose rows a call of a procedure sees: a member's own account belongs to no project. */
export function tenantFor(name: string, caller: Caller): Tenant {
  const isOwn = caller.kind === 'member' && isGuardedPath(name) && permissions[name].isOwn === true;
  return isOwn ? { organisationId: caller.organisationId, projectIds: null } : tenantOf(caller);
}

function projectsOf(caller: Caller): readonly string[] | null {
  return tenantOf(caller).projectIds;
}

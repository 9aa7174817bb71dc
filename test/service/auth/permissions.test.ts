import { describe, expect, test } from 'vitest';
import type { Caller, Plan, Role } from '../../../src/service/auth/caller.js';
import { type Permission, permissions, requirePermission } from '../../../src/service/auth/permissions.js';
import { ApiError } from '../../../src/service/http/api-error.js';
import { everyRequest } from '../../support/upstream.js';

const common = { organisationId: 'o', id: 'c', name: 'c' };
const memberOf = (role: Role, plan: Plan = 'Free'): Caller => ({
  ...common,
  kind: 'member',
  plan,
  role,
  sessionId: 's',
  issuer: null,
  access: 'write',
  expiresAt: new Date(),
});
const keyOf = (
  scope: 'ReadOnly' | 'ReadWrite',
  plan: Plan = 'Free',
  projectIds: readonly string[] | null = null,
): Caller => ({ ...common, kind: 'api_key', plan, scope, expiresAt: null, projectIds });

function codeOf(permission: Permission, caller: Caller): string {
  try {
    requirePermission(permission, caller);
    return 'allowed';
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

const every = new Map(everyRequest);
const granted = new Map<string, Permission>(Object.entries(permissions));

describe('permissions', () => {
  test('name every procedure that takes a credential, and no other', () => {
    const guarded = [...every].filter(([, procedure]) => !procedure.public).map(([name]) => name);
    expect([...granted.keys()].sort()).toEqual(guarded.sort());
  });

  test('let a read-only key call nothing that changes anything', () => {
    for (const [name, { callers }] of granted) {
      if (every.get(name)?.access !== 'read') expect(callers, name).not.toContain('read_key');
    }
  });

  test('let a key that is bound to projects call what is about projects', () => {
    const bound = keyOf('ReadWrite', 'Enterprise', ['p']);
    const refused = [...granted]
      .filter(([, permission]) => codeOf(permission, bound) !== 'allowed')
      .map(([name]) => name);
    const free = keyOf('ReadWrite', 'Enterprise');
    const more = refused.filter((name) => {
      const permission = granted.get(name);
      return permission !== undefined && codeOf(permission, free) === 'allowed';
    });
    expect(more.sort()).toEqual(['organisation.listInvites', 'organisation.listMembers', 'projects.create']);
  });

  test('let an admin call whatever a member may, and a write key whatever a read key may', () => {
    for (const [name, { callers }] of granted) {
      if (callers.includes('member')) expect(callers, name).toContain('admin');
      if (callers.includes('read_key')) expect(callers, name).toContain('write_key');
    }
  });

  test('keep people, keys and the organisation itself to admins', () => {
    const admins = [...granted].filter(([, { callers }]) => callers.join() === 'admin').map(([name]) => name);
    expect(admins).toEqual([
      'organisation.update',
      'organisation.updateMember',
      'organisation.removeMember',
      'organisation.createPasswordReset',
      'organisation.listSessions',
      'organisation.endSession',
      'organisation.endSessions',
      'organisation.createInvite',
      'organisation.revokeInvite',
      'organisation.exportAuditLog',
      'apiKeys.list',
      'apiKeys.create',
      'apiKeys.revoke',
    ]);
  });

  test.each([
    ['projects.get', ['allowed', 'allowed', 'allowed', 'allowed']],
    ['projects.create', ['forbidden', 'allowed', 'allowed', 'allowed']],
    ['session.renew', ['forbidden', 'forbidden', 'allowed', 'allowed']],
    ['session.end', ['forbidden', 'forbidden', 'allowed', 'allowed']],
    ['apiKeys.create', ['forbidden', 'forbidden', 'forbidden', 'allowed']],
  ] as const)('%s: read key, write key, member, admin get %j', (name, expected) => {
    const callers = [keyOf('ReadOnly'), keyOf('ReadWrite'), memberOf('member'), memberOf('admin')];
    expect(callers.map((caller) => codeOf(permissions[name], caller))).toEqual(expected);
  });

  test.each([
    ['Business', ['plan_required', 'allowed', 'allowed']],
    ['Enterprise', ['plan_required', 'plan_required', 'allowed']],
  ] as const)('that need %s refuse smaller plans', (plan, expected) => {
    const permission: Permission = { callers: ['read_key'], plan };
    const plans = ['Free', 'Business', 'Enterprise'] as const;
    expect(plans.map((own) => codeOf(permission, keyOf('ReadOnly', own)))).toEqual(expected);
  });

  test('say so to a caller that may not call at all, whatever the plan', () => {
    expect(codeOf({ callers: ['admin'], plan: 'Enterprise' }, keyOf('ReadWrite'))).toBe('forbidden');
  });
});

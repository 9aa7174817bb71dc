import { describe, expect, test } from 'vitest';
import { type Permission, permissions } from '../../../src/procedures/permissions.js';
import type { Caller, Plan, Role } from '../../../src/service/auth/caller.js';
import { requirePermission, requireScope } from '../../../src/service/auth/permissions.js';
import { ApiError } from '../../../src/service/http/api-error.js';
import { everyRequest } from '../../support/upstream.js';

const common = { organisationId: 'o', id: 'c', name: 'c' };
const memberOf = (role: Role, plan: Plan = 'Free', access: 'read' | 'write' = 'write'): Caller => ({
  ...{ ...common, kind: 'member', plan, role, grants: [], sessionId: 's', issuer: null, access },
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

  test.each([
    ['read_key', 'write_key'],
    ['none', 'viewer'],
    ['viewer', 'triager'],
    ['triager', 'member'],
    ['member', 'admin'],
  ] as const)('let whoever is %s call nothing that %s may not', (less, more) => {
    for (const [name, { callers }] of granted) if (callers.includes(less)) expect(callers, name).toContain(more);
  });

  test('let a viewer change nothing but what is the viewer’s own', () => {
    const changing = [...granted].filter(([name]) => every.get(name)?.access !== 'read');
    const allowed = changing.filter(([, { callers }]) => callers.includes('viewer')).map(([name]) => name);
    expect(allowed).toEqual(changing.filter(([, { isOwn }]) => isOwn === true).map(([name]) => name));
    expect(allowed).toEqual([
      ...['session.switchOrganisation', 'session.renew', 'session.end', 'session.endOne', 'session.endOthers'],
      ...['session.changePassword', 'session.proveAddress', 'session.confirmAddress'],
      ...['signIn.link', 'signIn.finishLink', 'signIn.unlink'],
    ]);
  });

  test('let a triager decide, and change nothing else', () => {
    const more = [...granted].filter(([, { callers }]) => callers.includes('triager') && !callers.includes('viewer'));
    expect(more.map(([name]) => name)).toEqual([
      'alerts.acknowledge',
      'alerts.unacknowledge',
      'alerts.acknowledgeMany',
      'alerts.unacknowledgeMany',
      'reachability.overrideVerdict',
      'reachability.clearOverride',
      'vex.accept',
      'vex.reject',
    ]);
  });

  test('let a member do all but delete projects, and look after people and keys', () => {
    const more = [...granted].filter(([, { callers }]) => callers.includes('write_key') && !callers.includes('member'));
    expect(more.map(([name]) => name)).toEqual(['projects.delete']);
  });

  test('let nobody without a role in the organisation read what is about it alone', () => {
    const less = [...granted].filter(([, { callers }]) => callers.includes('viewer') && !callers.includes('none'));
    expect(less.map(([name]) => name)).toEqual(['organisation.listMembers', 'organisation.listInvites']);
  });

  test('keep people, keys, groups of projects and the organisation itself to admins', () => {
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
      'groups.create',
      'groups.update',
      'groups.delete',
      'groups.assign',
      ...['signIn.listIssuers', 'signIn.addIssuer', 'signIn.updateIssuer', 'signIn.removeIssuer'],
      ...['signIn.listDomains', 'signIn.addDomain', 'signIn.checkDomain', 'signIn.removeDomain'],
      ...['signIn.getPasswordPolicy', 'signIn.setPasswordPolicy'],
      'apiKeys.list',
      'apiKeys.create',
      'apiKeys.revoke',
    ]);
  });

  test.each([
    ['projects.get', 'allowed'],
    ['projects.update', 'member'],
    ['projects.delete', 'admin'],
    ['alerts.acknowledge', 'triager'],
    ['session.renew', 'allowed'],
    ['organisation.listMembers', 'viewer'],
    ['apiKeys.create', 'admin'],
  ] as const)('%s: the role that it needs is %s', (name, least) => {
    const roles = ['none', 'viewer', 'triager', 'member', 'admin'] as const;
    const first = roles.find((role) => codeOf(permissions[name], memberOf(role)) === 'allowed');
    expect(first).toBe(least === 'allowed' ? 'none' : least);
  });

  test.each([
    ['projects.get', ['allowed', 'allowed']],
    ['projects.create', ['forbidden', 'allowed']],
    ['projects.delete', ['forbidden', 'allowed']],
    ['session.renew', ['forbidden', 'forbidden']],
    ['apiKeys.create', ['forbidden', 'forbidden']],
    ['vex.accept', ['unauthenticated', 'unauthenticated']],
  ] as const)('%s: a read key and a write key get %j', (name, expected) => {
    const callers = [keyOf('ReadOnly', 'Business'), keyOf('ReadWrite', 'Business')];
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

  test('say which role is needed, and which the caller has', () => {
    expect(() => requirePermission(permissions['projects.delete'], memberOf('member'))).toThrow(
      expect.objectContaining({ details: { detail: 'needs the role admin, and yours in the organisation is member' } }),
    );
  });
});

describe('a token whose scope is to read', () => {
  test('calls what reads, and nothing else', () => {
    for (const [name, procedure] of every) {
      const check = () => requireScope(procedure, memberOf('member', 'Free', 'read'));
      if (procedure.access === 'read') expect(check, name).not.toThrow();
      else expect(check, name).toThrow(expect.objectContaining({ code: 'forbidden' }));
      expect(() => requireScope(procedure, memberOf('member')), name).not.toThrow();
      expect(() => requireScope(procedure, keyOf('ReadOnly')), name).not.toThrow();
    }
  });
});

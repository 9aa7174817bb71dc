import type { Requests } from '../../procedures/index.js';
import { reasons } from '../../procedures/problem.js';
import { ApiError, notFound } from '../http/api-error.js';
import { type Caller, type Plan, type Role, tenantOf } from './caller.js';

type PathsOf<Group extends keyof Requests, Public extends boolean> = {
  [Member in keyof Requests[Group] & string]: Requests[Group][Member] extends { readonly public: Public }
    ? `${Group}.${Member}`
    : never;
}[keyof Requests[Group] & string];

/** The procedures that need a credential, as `alerts.list`. */
export type GuardedPath = { [Group in keyof Requests]: PathsOf<Group, false> }[keyof Requests];

type CallerKind = 'read_key' | 'write_key' | Role;

/** Whether a procedure, as `alerts.list`, needs a credential. */
export function isGuardedPath(name: string): name is GuardedPath {
  return Object.hasOwn(permissions, name);
}

export interface Permission {
  readonly callers: readonly CallerKind[];
  /** The smallest plan that includes the procedure; absent: any. */
  readonly plan?: Exclude<Plan, 'Free'>;
  /** An API key does not count as a credential: it gets 401, not 403 (specification, section 5, rule 8). */
  readonly rejectsKeys?: true;
  /** It is about the whole organisation, so a key that is bound to projects may not call it. */
  readonly rejectsBoundKeys?: true;
}

const readers: Permission = { callers: ['read_key', 'write_key', 'member', 'admin'] };
const writers: Permission = { callers: ['write_key', 'member', 'admin'] };
const freeReaders: Permission = { ...readers, rejectsBoundKeys: true };
const freeWriters: Permission = { ...writers, rejectsBoundKeys: true };
const members: Permission = { callers: ['member', 'admin'] };
const admins: Permission = { callers: ['admin'] };
const verdictReaders: Permission = { ...readers, plan: 'Business' };
const verdictWriters: Permission = { ...writers, plan: 'Business' };
const exporters: Permission = { ...readers, plan: 'Enterprise' };
const overriders: Permission = { ...members, plan: 'Business', rejectsKeys: true };

/** Who may call what. A procedure that is missing here does not compile. */
export const permissions: Readonly<Record<GuardedPath, Permission>> = {
  'organisation.get': readers,
  'organisation.update': admins,
  'organisation.listMembers': freeReaders,
  'organisation.updateMember': admins,
  'organisation.removeMember': admins,
  'organisation.createPasswordReset': admins,
  'organisation.listSessions': admins,
  'organisation.endSession': admins,
  'organisation.endSessions': admins,
  'organisation.listInvites': freeReaders,
  'organisation.createInvite': admins,
  'organisation.revokeInvite': admins,
  'organisation.getAuditLog': readers,
  'organisation.exportAuditLog': admins,

  'projects.list': readers,
  'projects.get': readers,
  'projects.create': freeWriters,
  'projects.update': writers,
  'projects.delete': writers,

  'alerts.list': readers,
  'alerts.get': readers,
  'alerts.acknowledge': writers,
  'alerts.unacknowledge': writers,
  'alerts.acknowledgeMany': writers,
  'alerts.unacknowledgeMany': writers,
  'alerts.listHistory': readers,

  'sast.listFindings': readers,
  'sast.listScanJobs': readers,
  'sast.uploadReport': writers,

  'dast.listFindings': readers,
  'dast.listScanJobs': readers,
  'dast.listTargets': readers,
  'dast.listServerScanJobs': readers,
  'dast.uploadReport': writers,
  'dast.addTarget': writers,
  'dast.removeTarget': writers,
  'dast.queueServerScan': writers,
  'dast.claimServerScan': writers,
  'dast.failServerScan': writers,

  'reachability.listVerdicts': verdictReaders,
  'reachability.progress': verdictReaders,
  'reachability.getVerdict': verdictReaders,
  'reachability.overrideVerdict': overriders,
  'reachability.clearOverride': overriders,
  'reachability.uploadUsageReport': verdictWriters,

  'vex.upload': verdictWriters,
  'vex.listProposals': verdictReaders,
  'vex.accept': overriders,
  'vex.reject': overriders,

  'containers.listImages': readers,
  'containers.listFindings': readers,
  'containers.getBaseImageAdvice': readers,
  'containers.uploadReport': writers,
  'containers.updateImage': writers,
  'containers.setDockerfile': writers,

  'techStack.list': readers,
  'techStack.getDependencies': readers,
  'techStack.add': writers,
  'techStack.update': writers,
  'techStack.remove': writers,
  'techStack.sync': writers,
  'techStack.uploadSbom': writers,
  'techStack.listReportedVulnerabilities': readers,

  'webhooks.list': readers,
  'webhooks.add': writers,
  'webhooks.update': writers,
  'webhooks.delete': writers,
  'webhooks.test': writers,
  'webhooks.listDeliveries': readers,

  'intelligence.checkPackage': readers,
  'intelligence.findExposed': readers,
  'intelligence.getPackageHealth': readers,
  'intelligence.search': readers,
  'intelligence.getFeeds': readers,
  'intelligence.exportSbom': exporters,
  'intelligence.getSbomDocument': exporters,
  'intelligence.exportOpenVex': exporters,

  'posture.getDomainDiff': readers,
  'posture.getDomainRisks': readers,
  'posture.getDomainSummary': readers,
  'posture.getVerdictCounts': verdictReaders,
  'posture.getTrend': readers,
  'posture.listProjects': readers,

  'remediation.plan': readers,

  'uploads.get': readers,
  'uploads.list': readers,

  'session.get': readers,
  'session.renew': members,
  'session.end': members,
  'session.list': members,
  'session.endOne': members,
  'session.endOthers': members,
  'session.changePassword': members,

  'signIn.listIssuers': admins,
  'signIn.addIssuer': admins,
  'signIn.updateIssuer': admins,
  'signIn.removeIssuer': admins,
  'signIn.listDomains': admins,
  'signIn.addDomain': admins,
  'signIn.checkDomain': admins,
  'signIn.removeDomain': admins,
  'signIn.listIdentities': members,
  'signIn.link': members,
  'signIn.unlink': members,

  'apiKeys.list': admins,
  'apiKeys.create': admins,
  'apiKeys.revoke': admins,
};

const planOrder: readonly Plan[] = ['Free', 'Business', 'Enterprise'];

function kindOf(caller: Caller): CallerKind {
  if (caller.kind === 'member') return caller.role;
  return caller.scope === 'ReadWrite' ? 'write_key' : 'read_key';
}

/**
 * Rejects a caller that the permission does not name (`forbidden`; `unauthenticated` for a key where keys do not count),
 * or whose plan is too small (`plan_required`).
 */
export function requirePermission(permission: Permission, caller: Caller): void {
  const { callers, plan, rejectsKeys, rejectsBoundKeys } = permission;
  if (rejectsKeys === true && caller.kind === 'api_key') {
    const reason = 'needs_member_session';
    throw new ApiError('unauthenticated', { reason, detail: reasons[reason] });
  }
  if (!callers.includes(kindOf(caller))) {
    const detail = callers.includes('write_key')
      ? 'this API key is read-only'
      : `only for ${callers.join(' or ')} sessions`;
    throw new ApiError('forbidden', { detail });
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

/**
 * Rejects a project that the caller's key is not bound to, as one that does not exist. Row-level security hides it as well:
 * this comes first, so that nothing is read or received for it.
 */
export function requireProject(projectId: unknown, caller: Caller): void {
  const bound = projectsOf(caller);
  if (bound !== null && typeof projectId === 'string' && !bound.includes(projectId)) throw notFound('project');
}

function projectsOf(caller: Caller): readonly string[] | null {
  return tenantOf(caller).projectIds;
}

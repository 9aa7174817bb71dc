import type { Requests } from './index.js';
import type { Plan, Role } from './organisation.js';

type PathsOf<Group extends keyof Requests, Public extends boolean> = {
  [Member in keyof Requests[Group] & string]: Requests[Group][Member] extends { readonly public: Public }
    ? `${Group}.${Member}`
    : never;
}[keyof Requests[Group] & string];

/** The procedures that need a credential, as `alerts.list`. */
export type GuardedPath = { [Group in keyof Requests]: PathsOf<Group, false> }[keyof Requests];

export type CallerKind = 'read_key' | 'write_key' | Role;

export interface Permission {
  /** A role counts where it is held: in the organisation or, for a call about a project, in a group that the project is in. */
  readonly callers: readonly CallerKind[];
  /** The smallest plan that includes the procedure; absent: any. */
  readonly plan?: Exclude<Plan, 'Free'>;
  /** An API key does not count as a credential: it gets 401, not 403 (specification, section 5, rule 8). */
  readonly rejectsKeys?: true;
  /** It is about the whole organisation, so a key that is bound to projects may not call it. */
  readonly rejectsBoundKeys?: true;
  /** It is about the caller's own account, which a member sees who sees some projects alone. */
  readonly isOwn?: true;
}

/** From the one that may least; each may what those before it may. `none` reads what groups of projects let it see. */
const roleOrder = ['none', 'viewer', 'triager', 'member', 'admin'] as const satisfies readonly Role[];

/** The one of them that may most; `none` of none. */
export function highestRole(roles: readonly Role[]): Role {
  return roleOrder.findLast((role) => roles.includes(role)) ?? 'none';
}

const people: Permission = { callers: roleOrder, isOwn: true };
const readers: Permission = { callers: ['read_key', 'write_key', ...roleOrder] };
const deciders: Permission = { callers: ['write_key', 'triager', 'member', 'admin'] };
const writers: Permission = { callers: ['write_key', 'member', 'admin'] };
/** Keys that write are among them: the specification lists `delete_project` as a tool of theirs, and admins make them. */
const removers: Permission = { callers: ['write_key', 'admin'] };
const admins: Permission = { callers: ['admin'] };
const freeReaders: Permission = {
  callers: ['read_key', 'write_key', 'viewer', 'triager', 'member', 'admin'],
  rejectsBoundKeys: true,
};
const freeWriters: Permission = { ...writers, rejectsBoundKeys: true };
const verdictReaders: Permission = { ...readers, plan: 'Business' };
const verdictWriters: Permission = { ...writers, plan: 'Business' };
const exporters: Permission = { ...readers, plan: 'Enterprise' };
const overriders: Permission = { callers: ['triager', 'member', 'admin'], plan: 'Business', rejectsKeys: true };

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
  'projects.delete': removers,

  'groups.list': readers,
  'groups.create': admins,
  'groups.update': admins,
  'groups.delete': admins,
  'groups.assign': admins,

  'alerts.list': readers,
  'alerts.get': readers,
  'alerts.acknowledge': deciders,
  'alerts.unacknowledge': deciders,
  'alerts.acknowledgeMany': deciders,
  'alerts.unacknowledgeMany': deciders,
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
  'posture.getReceipt': readers,
  'posture.getRevisions': readers,
  'posture.getTrend': readers,
  'posture.listProjects': readers,

  'remediation.plan': readers,

  'uploads.get': readers,
  'uploads.list': readers,

  'session.get': { ...readers, isOwn: true },
  'session.listOrganisations': people,
  'session.switchOrganisation': people,
  'session.renew': people,
  'session.end': people,
  'session.list': people,
  'session.endOne': people,
  'session.endOthers': people,
  'session.changePassword': people,
  'session.proveAddress': people,
  'session.confirmAddress': people,

  'signIn.listIssuers': admins,
  'signIn.addIssuer': admins,
  'signIn.updateIssuer': admins,
  'signIn.removeIssuer': admins,
  'signIn.listDomains': admins,
  'signIn.addDomain': admins,
  'signIn.checkDomain': admins,
  'signIn.removeDomain': admins,
  'signIn.getPasswordPolicy': admins,
  'signIn.setPasswordPolicy': admins,
  'signIn.listIdentities': people,
  'signIn.link': people,
  'signIn.finishLink': people,
  'signIn.unlink': people,

  'apiKeys.list': admins,
  'apiKeys.create': admins,
  'apiKeys.revoke': admins,
};

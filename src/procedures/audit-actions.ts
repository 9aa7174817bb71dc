import { type AnyProcedure, isComposite } from './define.js';
import { procedures, type Requests } from './index.js';

/** What is done, as the audit log names it: `domain.verb`. */
export const auditActions = [
  'address_proof.confirm',
  'address_proof.create',
  'alert.acknowledge',
  'alert.unacknowledge',
  'api_key.create',
  'api_key.revoke',
  'audit.export',
  'containers.set_dockerfile',
  'containers.update_image',
  'containers.upload_report',
  'dast.upload_report',
  'dast_scan.claim',
  'dast_scan.fail',
  'dast_scan.queue',
  'dast_target.add',
  'dast_target.remove',
  'domain.add',
  'domain.lose',
  'domain.prove',
  'domain.remove',
  'group.create',
  'group.delete',
  'group.update',
  'identity.link',
  'identity.unlink',
  'invite.accept',
  'invite.create',
  'invite.revoke',
  'issuer.add',
  'issuer.remove',
  'issuer.update',
  'member.join',
  'member.prove',
  'member.remove',
  'member.update',
  'organisation.change_plan',
  'organisation.create',
  'organisation.update',
  'password.change',
  'password.reset',
  'password_policy.update',
  'password_reset.create',
  'project.create',
  'project.delete',
  'project.update',
  'sast.upload_report',
  'session.create',
  'session.end',
  'session.end_others',
  'session.refuse',
  'session.renew',
  'tech_stack.add',
  'tech_stack.remove',
  'tech_stack.sync',
  'tech_stack.update',
  'tech_stack.upload_sbom',
  'usage_report.upload',
  'verdict.clear_override',
  'verdict.override',
  'verdict.override_expired',
  'vex.accept_proposal',
  'vex.reject_proposal',
  'vex.upload',
  'webhook.add',
  'webhook.delete',
  'webhook.switch_off',
  'webhook.test',
  'webhook.update',
] as const;

export type AuditAction = (typeof auditActions)[number];

type Reads<Group extends keyof Requests> = {
  [Member in keyof Requests[Group] & string]: Requests[Group][Member] extends { readonly access: 'read' }
    ? `${Group}.${Member}`
    : never;
}[keyof Requests[Group] & string];

/** A procedure that reads, as `alerts.list`. The log names so what a key has read, where that is kept. */
export type AuditedRead = { [Group in keyof Requests]: Reads<Group> }[keyof Requests];

const reads: ReadonlySet<string> = new Set(
  Object.entries(procedures).flatMap(([group, members]) =>
    Object.entries<AnyProcedure>(members).flatMap(([member, procedure]) =>
      procedure.access === 'read' && !isComposite(procedure) && procedure.unaudited !== true
        ? [`${group}.${member}`]
        : [],
    ),
  ),
);

export function isAuditedRead(name: string): name is AuditedRead {
  return reads.has(name);
}

import type { Ids, Operation } from './operation.js';
import { dependencyReport, openVex, sampleReports } from './reports.js';

const none = () => ({});
const project = ({ project }: Ids) => ({ project_id: project });
const within = (name: string, id: Exclude<keyof Ids, 'project'>, more: Readonly<Record<string, unknown>> = {}) => {
  return (ids: Ids) => ({ project_id: ids.project, [`${name}_id`]: ids[id], ...more });
};
const inProject = (more: Readonly<Record<string, unknown>>) => (ids: Ids) => ({ ...project(ids), ...more });
const p = '/api/projects/{project_id}';
const verdict = `${p}/reachability/verdicts/{verdict_id}`;
const vex = `${p}/vex/proposals`;
const image = `${p}/containers/images/{image_id}`;
const item = `${p}/tech-stack/{item_id}`;
const hook = `${p}/webhooks/{webhook_id}`;
const scans = `${p}/dast/server-scan-jobs`;

/** Every procedure that needs a credential, by hand. A server that has another one fails the matrix. */
export const operations: readonly Operation[] = [
  { path: 'organisation.get', tool: 'get_org', http: 'GET /api/org', who: 'reader', input: none },
  {
    ...{ path: 'organisation.update', http: 'PATCH /api/org', who: 'admin', changesAnyway: true },
    input: (_, mark) => ({ name: `renamed ${mark}` }),
  },
  { path: 'organisation.listMembers', tool: 'list_members', http: 'GET /api/org/members', who: 'reader', input: none },
  {
    ...{ path: 'organisation.updateMember', http: 'PATCH /api/org/members/{member_id}', who: 'admin' },
    input: ({ member }) => ({ member_id: member, role: 'member' }),
  },
  {
    ...{ path: 'organisation.removeMember', http: 'DELETE /api/org/members/{member_id}', who: 'admin' },
    input: ({ member }) => ({ member_id: member }),
  },
  { path: 'organisation.listInvites', tool: 'list_invites', http: 'GET /api/org/invites', who: 'reader', input: none },
  {
    ...{ path: 'organisation.createInvite', http: 'POST /api/org/invites', who: 'admin', changesAnyway: true },
    input: (_, mark) => ({ email: `${mark}@prove.invalid` }),
  },
  {
    ...{ path: 'organisation.revokeInvite', http: 'DELETE /api/org/invites/{invite_id}', who: 'admin' },
    input: ({ invite }) => ({ invite_id: invite }),
  },
  {
    ...{ path: 'organisation.getAuditLog', tool: 'get_audit_log', http: 'GET /api/org/audit-log', who: 'reader' },
    ...{ filtersById: true, input: ({ project }) => ({ project_id: project }) },
  },
  { path: 'projects.list', tool: 'list_projects', http: 'GET /api/projects', who: 'reader', input: none },
  { path: 'projects.get', tool: 'get_project', http: `GET ${p}`, who: 'reader', input: project },
  {
    ...{ path: 'projects.create', tool: 'create_project', http: 'POST /api/projects', who: 'writer' },
    ...{ changesAnyway: true, input: (_, mark) => ({ name: `project ${mark}` }) },
  },
  {
    ...{ path: 'projects.update', tool: 'update_project', http: `PATCH ${p}`, who: 'writer' },
    input: inProject({ exposure: 'internal' }),
  },
  { path: 'projects.delete', tool: 'delete_project', http: `DELETE ${p}`, who: 'writer', input: project },
  { path: 'alerts.list', tool: 'list_alerts', http: `GET ${p}/alerts`, who: 'reader', input: project },
  {
    ...{ path: 'alerts.get', tool: 'get_alert', http: `GET ${p}/alerts/{alert_id}`, who: 'reader' },
    input: within('alert', 'alert'),
  },
  {
    ...{ path: 'alerts.acknowledge', tool: 'acknowledge_alert', http: `POST ${p}/alerts/{alert_id}/acknowledge` },
    ...{ who: 'writer', input: within('alert', 'alert', { note: 'seen' }) },
  },
  {
    ...{ path: 'alerts.unacknowledge', http: `POST ${p}/alerts/{alert_id}/unacknowledge`, who: 'writer' },
    input: within('alert', 'alert'),
  },
  {
    ...{ path: 'sast.listFindings', tool: 'list_sast_findings', http: `GET ${p}/sast/findings`, who: 'reader' },
    input: inProject({ state: 'all' }),
  },
  {
    ...{ path: 'sast.listScanJobs', tool: 'list_sast_scan_jobs', http: `GET ${p}/sast/scan-jobs`, who: 'reader' },
    input: project,
  },
  {
    ...{ path: 'sast.uploadReport', http: `POST ${p}/sast/reports`, who: 'writer', bodyKey: 'report' },
    input: inProject({ source_repo: 'https://git.example.com/prove', report: sampleReports.sarif }),
  },
  {
    ...{ path: 'dast.listFindings', tool: 'list_dast_findings', http: `GET ${p}/dast/findings`, who: 'reader' },
    input: inProject({ state: 'all' }),
  },
  {
    ...{ path: 'dast.listScanJobs', tool: 'list_dast_scan_jobs', http: `GET ${p}/dast/scan-jobs`, who: 'reader' },
    input: project,
  },
  {
    ...{ path: 'dast.listTargets', tool: 'list_dast_targets', http: `GET ${p}/dast/targets`, who: 'reader' },
    input: project,
  },
  {
    ...{ path: 'dast.listServerScanJobs', tool: 'list_dast_server_scan_jobs', http: `GET ${scans}`, who: 'reader' },
    input: project,
  },
  {
    ...{ path: 'dast.uploadReport', http: `POST ${p}/dast/reports`, who: 'writer', bodyKey: 'report' },
    input: inProject({ report: sampleReports.zap }),
  },
  {
    ...{ path: 'dast.addTarget', http: `POST ${p}/dast/targets`, who: 'writer' },
    input: inProject({ url: 'https://other.example.com', name: 'other' }),
  },
  {
    ...{ path: 'dast.removeTarget', http: `DELETE ${p}/dast/targets/{target_id}`, who: 'writer' },
    input: within('target', 'target'),
  },
  {
    ...{ path: 'dast.queueServerScan', http: `POST ${scans}`, who: 'writer' },
    input: within('target', 'target'),
  },
  {
    ...{ path: 'dast.claimServerScan', http: `POST ${scans}/claim`, who: 'writer' },
    input: inProject({ runner: 'runner 1' }),
  },
  {
    ...{ path: 'dast.failServerScan', http: `POST ${scans}/{job_id}/fail`, who: 'writer' },
    input: within('job', 'scanJob', { error: 'no answer' }),
  },
  {
    ...{ path: 'reachability.listVerdicts', tool: 'list_reachability_verdicts', who: 'reader', plan: 'Business' },
    ...{ http: `GET ${p}/reachability/verdicts`, input: project },
  },
  {
    ...{ path: 'reachability.getVerdict', tool: 'get_reachability_verdict', who: 'reader', plan: 'Business' },
    ...{ http: `GET ${verdict}`, input: within('verdict', 'verdict') },
  },
  {
    ...{ path: 'reachability.overrideVerdict', tool: 'override_reachability_verdict', who: 'judge', plan: 'Business' },
    http: `PUT ${verdict}/override`,
    input: within('verdict', 'verdict', { verdict: 'NotExploitable', reason: 'never called' }),
  },
  {
    ...{ path: 'reachability.clearOverride', http: `DELETE ${verdict}/override`, who: 'judge', plan: 'Business' },
    input: within('verdict', 'verdict'),
  },
  {
    ...{ path: 'reachability.uploadUsageReport', http: `POST ${p}/reachability/usage-reports`, who: 'writer' },
    ...{ plan: 'Business', bodyKey: 'report', input: inProject({ report: dependencyReport([]) }) },
  },
  {
    ...{ path: 'containers.listImages', tool: 'list_container_images', http: `GET ${p}/containers/images` },
    ...{ who: 'reader', input: project },
  },
  {
    ...{ path: 'containers.listFindings', tool: 'list_container_findings', http: `GET ${p}/containers/findings` },
    ...{ who: 'reader', input: (ids) => ({ ...project(ids), image: ids.image, state: 'all' }) },
  },
  {
    ...{ path: 'containers.getBaseImageAdvice', tool: 'get_base_image_advice', who: 'reader' },
    ...{ http: `GET ${image}/base-image-advice`, input: within('image', 'image') },
  },
  {
    ...{ path: 'containers.uploadReport', http: `POST ${p}/containers/reports`, who: 'writer', bodyKey: 'report' },
    input: inProject({ report: sampleReports.trivy }),
  },
  {
    ...{ path: 'containers.updateImage', http: `PATCH ${image}`, who: 'writer' },
    input: within('image', 'image', { monitored: true }),
  },
  {
    ...{ path: 'containers.setDockerfile', http: `PUT ${image}/dockerfile`, who: 'writer' },
    input: within('image', 'image', { path: 'Dockerfile', text: 'FROM node:20\n' }),
  },
  { path: 'techStack.list', tool: 'list_tech_stack', http: `GET ${p}/tech-stack`, who: 'reader', input: project },
  {
    ...{ path: 'techStack.add', tool: 'add_tech_stack_item', http: `POST ${p}/tech-stack`, who: 'writer' },
    input: (ids, mark) => ({ ...project(ids), ecosystem: 'npm', name: `added-${mark}`, version: '1.0.0' }),
  },
  {
    ...{ path: 'techStack.update', tool: 'update_tech_stack_item', http: `PATCH ${item}`, who: 'writer' },
    input: within('item', 'item', { version: '1.0.1' }),
  },
  {
    ...{ path: 'techStack.remove', tool: 'remove_tech_stack_item', http: `DELETE ${item}`, who: 'writer' },
    input: within('item', 'item'),
  },
  {
    ...{ path: 'techStack.sync', tool: 'sync_tech_stack', http: `POST ${p}/tech-stack/sync`, who: 'writer' },
    input: inProject({ source: 'other.lock', packages: [{ purl: 'pkg:npm/synced@1.0.0' }] }),
  },
  {
    ...{ path: 'techStack.uploadSbom', http: `POST ${p}/tech-stack/sbom`, who: 'writer', bodyKey: 'document' },
    input: inProject({ document: sampleReports.cyclonedx }),
  },
  {
    ...{ path: 'techStack.listReportedVulnerabilities', http: `GET ${p}/tech-stack/reported-vulnerabilities` },
    ...{ who: 'reader', input: project },
  },
  { path: 'webhooks.list', tool: 'list_webhooks', http: `GET ${p}/webhooks`, who: 'reader', input: project },
  {
    ...{ path: 'webhooks.add', tool: 'add_webhook', http: `POST ${p}/webhooks`, who: 'writer' },
    input: inProject({ kind: 'generic', name: 'other', url: 'https://hooks.example.com/other' }),
  },
  {
    ...{ path: 'webhooks.update', tool: 'update_webhook', http: `PATCH ${hook}`, who: 'writer' },
    input: within('webhook', 'webhook', { enabled: false }),
  },
  {
    ...{ path: 'webhooks.delete', tool: 'delete_webhook', http: `DELETE ${hook}`, who: 'writer' },
    input: within('webhook', 'webhook'),
  },
  {
    ...{ path: 'webhooks.test', tool: 'test_webhook', http: `POST ${hook}/test`, who: 'writer' },
    input: within('webhook', 'webhook'),
  },
  {
    ...{ path: 'webhooks.listDeliveries', http: `GET ${hook}/deliveries`, who: 'reader' },
    input: within('webhook', 'webhook'),
  },
  {
    ...{ path: 'intelligence.checkPackage', tool: 'check_package', http: 'GET /api/intelligence/package' },
    ...{ who: 'reader', input: () => ({ ecosystem: 'npm', name: 'prove-flawed', version: '1.0.0' }) },
  },
  {
    ...{ path: 'intelligence.findExposed', tool: 'find_exposed', http: 'GET /api/intelligence/exposed' },
    ...{ who: 'reader', input: () => ({ cve: 'CVE-1999-90001' }) },
  },
  {
    ...{ path: 'intelligence.getPackageHealth', tool: 'get_package_health', http: `GET ${p}/package-health` },
    ...{ who: 'reader', input: project },
  },
  {
    ...{ path: 'intelligence.exportSbom', tool: 'export_sbom', http: `GET ${p}/sbom`, who: 'reader' },
    ...{ plan: 'Enterprise', input: project },
  },
  {
    ...{ path: 'intelligence.getSbomDocument', http: `GET ${p}/sbom/document`, who: 'reader', plan: 'Enterprise' },
    input: project,
  },
  {
    ...{ path: 'intelligence.exportOpenVex', http: `GET ${p}/vex`, who: 'reader', plan: 'Enterprise' },
    input: project,
  },
  { path: 'posture.getFindingsDiff', tool: 'get_findings_diff', who: 'reader', input: project },
  { path: 'posture.getTopRisks', tool: 'get_top_risks', who: 'reader', input: project },
  { path: 'posture.getSummary', tool: 'get_posture_summary', who: 'reader', input: project },
  {
    ...{ path: 'posture.getDomainDiff', http: 'GET /api/posture/{domain}/diff', who: 'reader' },
    input: inProject({ domain: 'dependencies' }),
  },
  {
    ...{ path: 'posture.getDomainRisks', http: 'GET /api/posture/{domain}/risks', who: 'reader' },
    input: inProject({ domain: 'code' }),
  },
  {
    ...{ path: 'posture.getDomainSummary', http: 'GET /api/posture/{domain}/summary', who: 'reader' },
    input: inProject({ domain: 'containers' }),
  },
  {
    ...{ path: 'posture.getVerdictCounts', http: 'GET /api/posture/verdicts', who: 'reader', plan: 'Business' },
    input: project,
  },
  {
    ...{ path: 'vex.upload', http: `POST ${p}/vex`, who: 'writer', plan: 'Business', bodyKey: 'document' },
    input: inProject({ document: openVex('other') }),
  },
  { path: 'vex.listProposals', http: `GET ${vex}`, who: 'reader', plan: 'Business', input: project },
  {
    ...{ path: 'vex.accept', http: `POST ${vex}/{proposal_id}/accept`, who: 'judge', plan: 'Business' },
    input: within('proposal', 'proposal'),
  },
  {
    ...{ path: 'vex.reject', http: `POST ${vex}/{proposal_id}/reject`, who: 'judge', plan: 'Business' },
    input: within('proposal', 'proposal'),
  },
  { path: 'session.get', http: 'GET /api/session', who: 'reader', input: none },
  { path: 'session.end', http: 'DELETE /api/session', who: 'person', changesAnyway: true, input: none },
  { path: 'apiKeys.list', http: 'GET /api/org/api-keys', who: 'admin', input: none },
  {
    ...{ path: 'apiKeys.create', http: 'POST /api/org/api-keys', who: 'admin', changesAnyway: true },
    input: (_, mark) => ({ name: `key ${mark}`, scope: 'ReadOnly' }),
  },
  {
    ...{ path: 'apiKeys.revoke', http: 'DELETE /api/org/api-keys/{api_key_id}', who: 'admin' },
    input: ({ apiKey }) => ({ api_key_id: apiKey }),
  },
];

/** Calls by which somebody obtains a credential: they need none. */
export const publicPaths: readonly string[] = ['session.create', 'organisation.acceptInvite'];

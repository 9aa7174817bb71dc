import type { Operation } from '../support/operation.js';
import { dependencyReport, openVex, sampleReports } from '../support/reports.js';
import { everywhere, inProject, p, project, within } from './inputs.js';

const verdict = `${p}/reachability/verdicts/{verdict_id}`;
const vex = `${p}/vex/proposals`;
const item = `${p}/tech-stack/{item_id}`;

/** Packages, their alerts, verdicts, VEX documents, and what is known of them. */
export const dependencyOperations: readonly Operation[] = [
  { path: 'alerts.list', tool: 'list_alerts', http: `GET ${p}/alerts`, ...everywhere('alerts') },
  {
    ...{ path: 'alerts.get', tool: 'get_alert', http: `GET ${p}/alerts/{alert_id}`, who: 'reader' },
    ...{ everywhere: 'GET /api/alerts/{alert_id}', input: within('alert', 'alert') },
  },
  {
    ...{ path: 'alerts.acknowledge', tool: 'acknowledge_alert', http: `POST ${p}/alerts/{alert_id}/acknowledge` },
    ...{ who: 'decider', input: within('alert', 'alert', { note: 'seen' }) },
  },
  {
    ...{
      path: 'alerts.unacknowledge',
      tool: 'unacknowledge_alert',
      http: `POST ${p}/alerts/{alert_id}/unacknowledge`,
      who: 'decider',
    },
    input: within('alert', 'alert'),
  },
  {
    ...{
      path: 'alerts.acknowledgeMany',
      tool: 'acknowledge_alerts',
      http: `POST ${p}/alerts/acknowledge`,
      who: 'decider',
      filtersById: true,
    },
    input: (ids) => ({ ...project(ids), alert_ids: [ids.alert], note: 'seen' }),
  },
  {
    ...{ path: 'alerts.unacknowledgeMany', http: `POST ${p}/alerts/unacknowledge`, who: 'decider', filtersById: true },
    input: (ids) => ({ ...project(ids), alert_ids: [ids.alert] }),
  },
  {
    ...{
      path: 'alerts.listHistory',
      tool: 'list_alert_history',
      http: `GET ${p}/alerts/{alert_id}/history`,
      who: 'reader',
    },
    input: within('alert', 'alert'),
  },
  {
    ...{ path: 'reachability.listVerdicts', tool: 'list_reachability_verdicts', who: 'reader', plan: 'Business' },
    ...{ http: `GET ${p}/reachability/verdicts`, ...everywhere('reachability/verdicts') },
  },
  {
    ...{ path: 'reachability.progress', http: `GET ${p}/reachability/progress`, who: 'reader', plan: 'Business' },
    input: project,
  },
  {
    ...{ path: 'reachability.getVerdict', tool: 'get_reachability_verdict', who: 'reader', plan: 'Business' },
    ...{ http: `GET ${verdict}`, everywhere: 'GET /api/reachability/verdicts/{verdict_id}' },
    input: within('verdict', 'verdict'),
  },
  {
    ...{ path: 'reachability.overrideVerdict', tool: 'override_reachability_verdict', who: 'judge', plan: 'Business' },
    http: `PUT ${verdict}/override`,
    input: within('verdict', 'verdict', { verdict: 'NotExploitable', reason: 'never called' }),
  },
  {
    ...{
      path: 'reachability.clearOverride',
      tool: 'clear_reachability_override',
      http: `DELETE ${verdict}/override`,
      who: 'judge',
      plan: 'Business',
    },
    input: within('verdict', 'verdict'),
  },
  {
    ...{ path: 'reachability.uploadUsageReport', http: `POST ${p}/reachability/usage-reports`, who: 'writer' },
    ...{ plan: 'Business', bodyKey: 'report', input: inProject({ report: dependencyReport([]) }) },
  },
  { path: 'techStack.list', tool: 'list_tech_stack', http: `GET ${p}/tech-stack`, ...everywhere('tech-stack') },
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
    ...{ path: 'techStack.getDependencies', tool: 'get_dependencies', http: `GET ${item}/dependencies`, who: 'reader' },
    input: within('item', 'item'),
  },
  {
    ...{ path: 'techStack.listReportedVulnerabilities', http: `GET ${p}/tech-stack/reported-vulnerabilities` },
    ...{ who: 'reader', input: project },
  },
  {
    ...{ path: 'intelligence.checkPackage', tool: 'check_package', http: 'GET /api/intelligence/package' },
    ...{ who: 'reader', input: () => ({ ecosystem: 'npm', name: 'prove-flawed', version: '1.0.0' }) },
  },
  {
    ...{ path: 'intelligence.findExposed', tool: 'find_exposed', http: 'GET /api/intelligence/exposed' },
    ...{ who: 'reader', input: ({ group }) => ({ cve: 'CVE-1999-90001', group }) },
  },
  {
    path: 'intelligence.search',
    tool: 'search',
    http: 'GET /api/search',
    who: 'reader',
    input: () => ({ q: 'prove' }),
  },
  {
    path: 'intelligence.getFeeds',
    tool: 'get_feeds',
    http: 'GET /api/intelligence/feeds',
    who: 'reader',
    input: () => ({}),
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
  {
    ...{ path: 'remediation.plan', tool: 'get_fix_plan', http: `GET ${p}/remediation/plan`, who: 'reader' },
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
];

import type { Operation } from '../support/operation.js';
import { sampleReports } from '../support/reports.js';
import { everywhere, inProject, p, project, within } from './inputs.js';

const image = `${p}/containers/images/{image_id}`;
const scans = `${p}/dast/server-scan-jobs`;

/** Scans, their findings, and the posture over all of them. */
export const findingOperations: readonly Operation[] = [
  {
    ...{ path: 'sast.listFindings', tool: 'list_sast_findings', http: `GET ${p}/sast/findings` },
    ...everywhere('sast/findings', { state: 'all' }),
  },
  {
    ...{ path: 'sast.listScanJobs', tool: 'list_sast_scan_jobs', http: `GET ${p}/sast/scan-jobs` },
    ...everywhere('sast/scan-jobs'),
  },
  {
    ...{ path: 'sast.uploadReport', http: `POST ${p}/sast/reports`, who: 'writer', bodyKey: 'report' },
    input: inProject({ source_repo: 'https://git.example.com/prove', report: sampleReports.sarif }),
  },
  {
    ...{ path: 'dast.listFindings', tool: 'list_dast_findings', http: `GET ${p}/dast/findings` },
    ...everywhere('dast/findings', { state: 'all' }),
  },
  {
    ...{ path: 'dast.listScanJobs', tool: 'list_dast_scan_jobs', http: `GET ${p}/dast/scan-jobs` },
    ...everywhere('dast/scan-jobs'),
  },
  {
    ...{ path: 'dast.listTargets', tool: 'list_dast_targets', http: `GET ${p}/dast/targets` },
    ...everywhere('dast/targets'),
  },
  {
    ...{ path: 'dast.listServerScanJobs', tool: 'list_dast_server_scan_jobs', http: `GET ${scans}` },
    ...everywhere('dast/server-scan-jobs'),
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
    ...{ path: 'containers.listImages', tool: 'list_container_images', http: `GET ${p}/containers/images` },
    ...everywhere('containers/images'),
  },
  {
    ...{ path: 'containers.listFindings', tool: 'list_container_findings', http: `GET ${p}/containers/findings` },
    ...everywhere('containers/findings', { state: 'all' }),
    input: (ids) => ({ ...project(ids), image: ids.image, state: 'all' }),
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
  {
    ...{ path: 'uploads.get', http: `GET ${p}/uploads/{upload_id}`, who: 'reader' },
    input: within('upload', 'upload'),
  },
  { path: 'uploads.list', http: `GET ${p}/uploads`, ...everywhere('uploads') },
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
    ...{ path: 'posture.getReceipt', http: 'GET /api/posture/receipt', who: 'reader' },
    input: project,
  },
  {
    ...{ path: 'posture.getRevisions', http: 'GET /api/posture/revisions', who: 'reader', input: () => ({}) },
  },
  {
    ...{ path: 'posture.getVerdictCounts', http: 'GET /api/posture/verdicts', who: 'reader', plan: 'Business' },
    input: project,
  },
  {
    path: 'posture.getTrend',
    tool: 'get_posture_trend',
    http: 'GET /api/posture/trend',
    who: 'reader',
    input: project,
  },
  {
    path: 'posture.listProjects',
    tool: 'rank_projects',
    http: 'GET /api/posture/projects',
    who: 'reader',
    input: ({ group }) => ({ group }),
  },
];

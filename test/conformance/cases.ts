import { decodeJwt } from 'jose';
import type { Procedures } from '../../src/procedures/index.js';
import { dependency, report } from '../service/reachability/report.js';
import { result, run, sarif } from '../service/scanners/sarif/sarif-report.js';
import { trivyReport, vulnerability } from '../service/scanners/trivy/trivy-report.js';
import { site, zap, alert as zapAlert } from '../service/scanners/zap/zap-report.js';
import { openVex, targetUrl, type World } from './world.js';

/** Whose credential a call carries. */
type As = 'readKey' | 'writeKey' | 'member' | 'admin' | 'signedIn';

export interface Case {
  readonly as: As;
  /** A good input in this world, in wire form. */
  readonly input: (world: World) => Record<string, unknown>;
  /** The same of a group, without `project_id`, where it may be a group's. */
  readonly ofGroup?: (world: World) => Record<string, unknown>;
}

/** One good call of every procedure. A procedure without a case does not compile. */
type Cases = { readonly [Group in keyof Procedures]: { readonly [Member in keyof Procedures[Group]]: Case } };

const none = () => ({});
const project = ({ projectId }: World) => ({ project_id: projectId });
const alert = (world: World) => ({ ...project(world), alert_id: world.alertId });
const item = (world: World) => ({ ...project(world), item_id: world.itemId });
const image = (world: World) => ({ ...project(world), image_id: world.imageId });
const webhook = (world: World) => ({ ...project(world), webhook_id: world.webhookId });
const groupWebhook = ({ groupWebhookId }: World) => ({ webhook_id: groupWebhookId });
const slack = {
  kind: 'slack',
  name: 'security',
  url: 'https://hooks.slack.com/services/T0/B0/secret',
  events: ['scan.finished', 'alert.red'],
};
const renamed = { name: 'other', enabled: false, expected_revision: 1 };
const proposal = (world: World) => ({ ...project(world), proposal_id: world.proposalId });
const verdict = (world: World) => ({ ...project(world), verdict_id: world.verdictId });

/** The member's. */
const session = ({ organisation }: World) => ({ session_id: decodeJwt(organisation.member.session).jti });

const cases: Cases = {
  organisation: {
    get: { as: 'readKey', input: none },
    update: { as: 'admin', input: () => ({ name: 'Renamed', contact_email: 'security@example.com' }) },
    listMembers: { as: 'readKey', input: () => ({ page: 1, page_size: 1 }) },
    updateMember: {
      as: 'admin',
      input: ({ organisation }) => ({ member_id: organisation.member.id, role: 'admin' }),
    },
    removeMember: { as: 'admin', input: ({ organisation }) => ({ member_id: organisation.member.id }) },
    listInvites: { as: 'readKey', input: none },
    createInvite: {
      as: 'admin',
      input: ({ organisation }) => ({ email: `second-${organisation.id}@example.com`, role: 'admin' }),
    },
    revokeInvite: { as: 'admin', input: ({ inviteId }) => ({ invite_id: inviteId }) },
    acceptInvite: {
      as: 'readKey',
      input: ({ inviteToken }) => ({ token: inviteToken, name: 'Ada', password: 'correct horse battery' }),
    },
    createPasswordReset: { as: 'admin', input: ({ organisation }) => ({ member_id: organisation.member.id }) },
    listSessions: { as: 'admin', input: ({ organisation }) => ({ member_id: organisation.member.id }) },
    endSession: { as: 'admin', input: session },
    endSessions: { as: 'admin', input: none },
    getAuditLog: {
      as: 'readKey',
      input: () => ({ action: 'project.create', since: '2020-01-01T00:00:00+02:00', until: '2100-01-01T00:00:00Z' }),
    },
    exportAuditLog: { as: 'admin', input: () => ({ since: '2020-01-01T00:00:00+02:00' }) },
  },
  projects: {
    list: { as: 'readKey', input: none },
    get: { as: 'readKey', input: project },
    create: { as: 'writeKey', input: () => ({ name: ' blog ', description: 'tells\nthings', exposure: 'internal' }) },
    update: {
      as: 'writeKey',
      input: (world) => ({ ...project(world), clear: ['description'], exposure: 'isolated', expected_revision: 1 }),
    },
    delete: { as: 'writeKey', input: project },
  },
  groups: {
    list: { as: 'readKey', input: none },
    create: {
      as: 'admin',
      input: (world) => ({ name: 'Web', parent: 'retail', owner_id: world.organisation.member.id }),
    },
    update: {
      as: 'admin',
      input: ({ groupId }) => ({ group: groupId, name: 'Shops', clear: ['parent'], expected_revision: 1 }),
    },
    delete: { as: 'admin', input: ({ groupId }) => ({ group: groupId }) },
    assign: { as: 'admin', input: ({ projectId }) => ({ group: 'Retail', project_ids: [projectId] }) },
  },
  alerts: {
    list: {
      as: 'readKey',
      input: (world) => ({ ...project(world), status: 'open', acknowledged: false, resolved: false, tier: 'RED' }),
    },
    get: { as: 'readKey', input: alert },
    acknowledge: { as: 'writeKey', input: (world) => ({ ...alert(world), note: 'seen\nby us' }) },
    unacknowledge: { as: 'writeKey', input: (world) => ({ ...project(world), alert_id: world.settledAlertId }) },
    acknowledgeMany: {
      as: 'writeKey',
      input: (world) => ({ ...project(world), alert_ids: [world.alertId], note: 'seen by us' }),
    },
    unacknowledgeMany: {
      as: 'writeKey',
      input: (world) => ({ ...project(world), alert_ids: [world.settledAlertId] }),
    },
    listHistory: { as: 'readKey', input: (world) => ({ ...alert(world), page_size: 5 }) },
  },
  sast: {
    listFindings: {
      as: 'readKey',
      input: (world) => ({
        ...project(world),
        state: 'all',
        severity: 'medium',
        source_repo: 'https://example.com/shop',
      }),
    },
    listScanJobs: { as: 'readKey', input: project },
    uploadReport: {
      as: 'writeKey',
      input: (world) => ({
        ...project(world),
        source_repo: 'https://example.com/shop',
        report: sarif(run([result(9, { ruleId: 'R2' })])),
      }),
    },
  },
  dast: {
    listFindings: {
      as: 'readKey',
      input: (world) => ({ ...project(world), state: 'open', severity: 'high', target_url: targetUrl }),
    },
    listScanJobs: { as: 'readKey', input: project },
    listTargets: { as: 'readKey', input: project },
    listServerScanJobs: { as: 'readKey', input: project },
    uploadReport: {
      as: 'writeKey',
      input: (world) => ({
        ...project(world),
        mode: 'full',
        server_scan_job_id: world.serverScanId,
        report: zap(site(targetUrl, zapAlert('10020'))),
      }),
    },
    addTarget: {
      as: 'writeKey',
      input: (world) => ({ ...project(world), url: 'https://blog.example.com/', name: 'blog', environment: 'staging' }),
    },
    removeTarget: { as: 'writeKey', input: (world) => ({ ...project(world), target_id: world.targetId }) },
    queueServerScan: {
      as: 'writeKey',
      input: (world) => ({ ...project(world), target_id: world.targetId, mode: 'api' }),
    },
    claimServerScan: { as: 'writeKey', input: (world) => ({ ...project(world), runner: 'runner 1' }) },
    failServerScan: {
      as: 'writeKey',
      input: (world) => ({ ...project(world), job_id: world.serverScanId, error: 'no answer' }),
    },
  },
  reachability: {
    listVerdicts: {
      as: 'readKey',
      input: (world) => ({ ...project(world), cve: world.intelligence.cve, band: 'known_exploited' }),
    },
    getVerdict: { as: 'readKey', input: verdict },
    overrideVerdict: {
      as: 'member',
      input: (world) => ({
        ...verdict(world),
        verdict: 'NotExploitable',
        reason: 'never called',
        expires_at: '2100-01-01T00:00:00Z',
      }),
    },
    clearOverride: {
      as: 'member',
      input: (world) => ({ ...project(world), verdict_id: world.settledVerdictId }),
    },
    progress: { as: 'readKey', input: project },
    uploadUsageReport: {
      as: 'writeKey',
      input: (world) => ({
        ...project(world),
        report: report([dependency(`pkg:npm/${world.intelligence.packageName}@1.0.0`, 'imported')]),
      }),
    },
  },
  containers: {
    listImages: { as: 'readKey', input: project },
    listFindings: {
      as: 'readKey',
      input: (world) => ({ ...project(world), image: 'acme/shop:1', state: 'open', severity: 'high' }),
    },
    getBaseImageAdvice: { as: 'readKey', input: image },
    uploadReport: {
      as: 'writeKey',
      input: (world) => ({
        ...project(world),
        image: 'acme/blog:2',
        report: trivyReport('acme/blog:1', [vulnerability('CVE-1989-2', 'zlib', { Severity: 'LOW' })]),
      }),
    },
    updateImage: { as: 'writeKey', input: (world) => ({ ...image(world), monitored: true }) },
    setDockerfile: {
      as: 'writeKey',
      input: (world) => ({ ...image(world), path: 'deploy/Dockerfile', text: 'FROM acme/node:2\n' }),
    },
  },
  techStack: {
    list: { as: 'readKey', input: project },
    add: {
      as: 'writeKey',
      input: (world) => ({
        ...project(world),
        ecosystem: 'npm',
        name: world.intelligence.packageName,
        version: '1.1.0',
      }),
    },
    update: { as: 'writeKey', input: (world) => ({ ...item(world), version: '2.0.0', scope: 'optional' }) },
    remove: { as: 'writeKey', input: item },
    sync: {
      as: 'writeKey',
      input: (world) => ({
        ...project(world),
        source: 'package-lock.json',
        force: true,
        packages: [{ purl: `pkg:npm/${world.intelligence.otherName}@1.0.0` }],
      }),
    },
    uploadSbom: {
      as: 'writeKey',
      input: (world) => ({
        ...project(world),
        document: {
          bomFormat: 'CycloneDX',
          specVersion: '1.6',
          version: 1,
          components: [
            { type: 'library', name: 'x', version: '1.0.0', purl: `pkg:npm/${world.intelligence.otherName}@1.0.0` },
            { type: 'library', name: 'without a purl' },
            { type: 'library', name: 'curl', purl: 'pkg:deb/debian/curl@8.0' },
          ],
          vulnerabilities: [{ id: 'CVE-2024-0001', ratings: [{ severity: 'high' }] }],
        },
      }),
    },
    getDependencies: { as: 'readKey', input: item },
    listReportedVulnerabilities: { as: 'readKey', input: project },
  },
  webhooks: {
    list: { as: 'readKey', input: project },
    add: {
      as: 'writeKey',
      input: (world) => ({ ...project(world), ...slack }),
      ofGroup: ({ groupId }) => ({ group: groupId, ...slack }),
    },
    update: {
      as: 'writeKey',
      input: (world) => ({ ...webhook(world), ...renamed }),
      ofGroup: (world) => ({ ...groupWebhook(world), ...renamed }),
    },
    delete: { as: 'writeKey', input: webhook, ofGroup: groupWebhook },
    test: { as: 'writeKey', input: webhook, ofGroup: groupWebhook },
    listDeliveries: { as: 'readKey', input: webhook, ofGroup: groupWebhook },
  },
  intelligence: {
    checkPackage: {
      as: 'readKey',
      input: ({ intelligence }) => ({ ecosystem: 'npm', name: intelligence.packageName, version: '1.0.0' }),
    },
    findExposed: { as: 'readKey', input: ({ intelligence }) => ({ cve: intelligence.cve, page_size: 100 }) },
    search: { as: 'readKey', input: ({ intelligence }) => ({ q: intelligence.packageName.toUpperCase() }) },
    getFeeds: { as: 'readKey', input: none },
    getPackageHealth: { as: 'readKey', input: project },
    exportSbom: { as: 'readKey', input: (world) => ({ ...project(world), vex: true, include_document: true }) },
    getSbomDocument: { as: 'readKey', input: (world) => ({ ...project(world), vex: true }) },
    exportOpenVex: { as: 'readKey', input: project },
  },
  posture: {
    getFindingsDiff: { as: 'readKey', input: (world) => ({ ...project(world), window_days: 30 }) },
    getTopRisks: { as: 'readKey', input: none },
    getSummary: { as: 'readKey', input: project },
    getDomainDiff: {
      as: 'readKey',
      input: (world) => ({ ...project(world), domain: 'dependencies', window_days: 1 }),
    },
    getDomainRisks: { as: 'readKey', input: () => ({ domain: 'code' }) },
    getDomainSummary: { as: 'readKey', input: (world) => ({ ...project(world), domain: 'containers' }) },
    getVerdictCounts: { as: 'readKey', input: project },
    getReceipt: { as: 'readKey', input: project },
    getRevisions: { as: 'readKey', input: ({ projectId }) => ({ projects: projectId }) },
    getTrend: { as: 'readKey', input: (world) => ({ ...project(world), window_days: 30 }) },
    listProjects: { as: 'readKey', input: () => ({ q: ' S', sort: 'name' }) },
  },
  remediation: { plan: { as: 'readKey', input: (world) => ({ ...project(world), limit: 3 }) } },
  receipts: { getKeys: { as: 'readKey', input: none } },
  vex: {
    upload: {
      as: 'writeKey',
      input: (world) => ({
        ...project(world),
        product: 'shop',
        document: openVex(`pkg:npm/${world.intelligence.packageName}@1.0.0`, world.intelligence.cve, {
          status: 'affected',
          action_statement: 'Update.',
        }),
      }),
    },
    listProposals: { as: 'readKey', input: (world) => ({ ...project(world), state: 'pending' }) },
    accept: { as: 'member', input: (world) => ({ ...proposal(world), reason: 'read and agreed' }) },
    reject: { as: 'member', input: proposal },
  },
  uploads: {
    list: { as: 'readKey', input: project },
    get: { as: 'readKey', input: (world) => ({ ...project(world), upload_id: world.uploadId }) },
  },
  session: {
    create: {
      as: 'readKey',
      input: ({ organisation }) => ({ email: organisation.member.email, password: organisation.member.password }),
    },
    signInOptions: { as: 'readKey', input: ({ organisation }) => ({ email: organisation.member.email }) },
    beginSignIn: { as: 'readKey', input: () => ({ issuer: 'instance' }) },
    finishSignIn: { as: 'readKey', input: ({ signIns }) => ({ ...signIns.begun }) },
    chooseOrganisation: {
      as: 'readKey',
      input: ({ organisation, signIns }) => ({ proof: signIns.proof, organisation: organisation.id }),
    },
    listOrganisations: { as: 'signedIn', input: none },
    switchOrganisation: { as: 'signedIn', input: ({ signIns }) => ({ organisation: signIns.elsewhere }) },
    get: { as: 'member', input: none },
    renew: { as: 'member', input: none },
    end: { as: 'member', input: none },
    list: { as: 'member', input: none },
    endOne: { as: 'member', input: session },
    endOthers: { as: 'member', input: none },
    changePassword: {
      as: 'member',
      input: ({ organisation }) => ({
        current_password: organisation.member.password,
        new_password: 'correct horse battery',
      }),
    },
    resetPassword: {
      as: 'readKey',
      input: ({ resetToken }) => ({ token: resetToken, password: 'correct horse battery' }),
    },
    proveAddress: { as: 'member', input: none },
    confirmAddress: { as: 'member', input: ({ proofToken }) => ({ token: proofToken }) },
  },
  signIn: {
    listIssuers: { as: 'admin', input: none },
    addIssuer: {
      as: 'admin',
      input: () => ({
        issuer: 'https://other-login.example.com',
        client_id: 'postern',
        client_secret: 'only they and we know it',
        joins: true,
        groups_claim: 'groups',
        group_roles: [{ group: 'security', role: 'admin' }],
      }),
    },
    updateIssuer: {
      as: 'admin',
      input: ({ issuerId }) => ({ issuer_id: issuerId, default_role: 'member', joins: true, expected_revision: 1 }),
    },
    removeIssuer: { as: 'admin', input: ({ issuerId }) => ({ issuer_id: issuerId }) },
    listDomains: { as: 'admin', input: none },
    addDomain: { as: 'admin', input: ({ organisation }) => ({ domain: `new-${organisation.id}.example.com` }) },
    checkDomain: { as: 'admin', input: ({ domain }) => ({ domain }) },
    removeDomain: { as: 'admin', input: ({ domain }) => ({ domain }) },
    getPasswordPolicy: { as: 'admin', input: none },
    setPasswordPolicy: {
      as: 'admin',
      input: ({ organisation }) => ({ password_sign_in: false, break_glass_member_id: organisation.admin.id }),
    },
    finishLink: { as: 'member', input: ({ signIns }) => ({ ...signIns.unlinked }) },
    listIdentities: { as: 'member', input: none },
    link: { as: 'admin', input: ({ issuerToken }) => ({ token: issuerToken }) },
    unlink: { as: 'member', input: ({ identityId }) => ({ identity_id: identityId }) },
  },
  apiKeys: {
    list: { as: 'admin', input: none },
    create: { as: 'admin', input: () => ({ name: 'for CI', scope: 'ReadOnly' }) },
    revoke: { as: 'admin', input: ({ organisation }) => ({ api_key_id: organisation.readKeyId }) },
  },
};

/** The secret behind a case's credential. */
export function credentialOf(as: As, { organisation, signIns }: World): string {
  switch (as) {
    case 'readKey':
      return organisation.readKey;
    case 'writeKey':
      return organisation.writeKey;
    case 'member':
      return organisation.member.session;
    case 'admin':
      return organisation.admin.session;
    case 'signedIn':
      return signIns.session;
  }
}

/** The case of a procedure by its path, as `alerts.list`. */
export function caseOf(path: string): Case {
  const [group = '', member = ''] = path.split('.');
  const members: Readonly<Record<string, Readonly<Record<string, Case>>>> = cases;
  const found = members[group]?.[member];
  if (found === undefined) throw new Error(`${path} has no case in cases.ts`);
  return found;
}

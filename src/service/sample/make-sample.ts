import { usageReport } from '../../procedures/usage-report.js';
import { sampleProjects } from '../../shared/sample-projects.js';
import { alertHandlers } from '../alerts/handlers.js';
import { type Context, landingIn } from '../api/handler.js';
import { apiKeyHandlers } from '../api-keys/handlers.js';
import { createInviteWith } from '../organisations/invites.js';
import { projectHandlers } from '../projects/handlers.js';
import { reachabilityHandlers } from '../reachability/handlers.js';
import type { SecretBox } from '../secrets/secret-box.js';
import { techStackHandlers } from '../tech-stack/handlers.js';
import { webhookHandlers } from '../webhooks/handlers.js';
import { type DaysAgo, makeScans, shopRepo } from './make-scans.js';
import { currentPackages, firstPackages, toolPackages, upgradedPackages } from './packages.js';
import { sampleUsageReport } from './usage-report.js';

/** Milliseconds. */
const day = 24 * 60 * 60 * 1000;

const source = 'sample';

/** What a person needs to try the sample. */
export interface SampleAccess {
  readonly keys: { readonly read_only: string; readonly read_write: string };
  readonly project_id: string;
}

type Auditing = Pick<Context, 'audit' | 'auditAll'>;

/**
 * Calls the handlers of real requests with past times. Steps on the same finding are in chronological order.
 *
 * @param auditingIn how what is done in a project is written to the audit log
 */
export async function makeSample(
  ctx: Context,
  secrets: SecretBox,
  auditingIn: (projectId: string) => Auditing,
): Promise<SampleAccess> {
  const daysAgo: DaysAgo = (days) => ({ ...ctx, now: new Date(ctx.now.getTime() - days * day) });
  const readOnly = await apiKeyHandlers.create(ctx, { name: 'Sample, read only', scope: 'ReadOnly' });
  const readWrite = await apiKeyHandlers.create(ctx, { name: 'Sample, read and write', scope: 'ReadWrite' });
  // No mail goes to an invented address.
  await createInviteWith(false)(ctx, { email: 'colleague@sample.invalid', role: 'member', groups: [] });
  const { id: project_id } = await projectHandlers.create(daysAgo(35), {
    ...sampleProjects.shop,
    exposure: 'internet',
    repo: shopRepo,
  });
  const inShop: DaysAgo = (days) => ({ ...daysAgo(days), ...auditingIn(project_id) });
  await addSilentWebhook(inShop(35), project_id, secrets);
  await trackPackages(inShop, project_id);
  await makeScans(inShop, project_id);
  await makeUnanalyzedProject(daysAgo(16), auditingIn);
  return { keys: { read_only: readOnly.key, read_write: readWrite.key }, project_id };
}

/** Disabled before the first event, so that the sample sends nothing to anybody. */
async function addSilentWebhook(ctx: Context, project_id: string, secrets: SecretBox): Promise<void> {
  const { add, update } = webhookHandlers(new Set(), secrets);
  const { webhook } = await add(ctx, {
    project_id,
    kind: 'generic',
    name: 'Sample receiver',
    url: 'https://example.com/postern-events',
    events: ['alert.red', 'alert.known_exploited'],
  });
  await update(ctx, { project_id, webhook_id: webhook.id, enabled: false });
}

/** Creates alerts of each tier, usage and band, with an acknowledgement, an override, upgrades and new packages. */
async function trackPackages(daysAgo: DaysAgo, project_id: string): Promise<void> {
  await syncPackages(daysAgo(35), project_id, firstPackages);
  const reported = daysAgo(34);
  const report = usageReport.parse({ ...sampleUsageReport, generated_at: reported.now.toISOString() });
  const upload = await reachabilityHandlers.uploadUsageReport.read({ project_id, report });
  await upload(landingIn(reported));
  await acknowledgeAxios(daysAgo(31), project_id);
  await overrideMiddleware(daysAgo(26), project_id);
  await syncPackages(daysAgo(4), project_id, upgradedPackages);
  await syncPackages(daysAgo(2), project_id, currentPackages);
}

async function syncPackages(ctx: Context, project_id: string, packages: typeof firstPackages): Promise<void> {
  const given = packages.map(({ brings, ...each }) => {
    if (brings === undefined) return each;
    const isBrought = ({ purl }: { readonly purl: string }) =>
      brings.some((name) => purl.startsWith(`pkg:npm/${name}@`));
    return { ...each, dependencies: packages.flatMap((other, at) => (isBrought(other) ? [at] : [])), incomplete: true };
  });
  const write = await techStackHandlers.sync.read({ project_id, source, packages: given });
  await write(landingIn(ctx));
}

async function acknowledgeAxios(ctx: Context, project_id: string): Promise<void> {
  const { items } = await alertHandlers.list(ctx, { project_id, page: 1, page_size: 100 });
  const axios = items.find(({ cve }) => cve === 'CVE-2023-45857');
  if (axios === undefined) return;
  const note = 'The shop calls its own hosts only; goes with the next upgrade.';
  await alertHandlers.acknowledge(ctx, { project_id, alert_id: axios.id, note });
}

async function overrideMiddleware(ctx: Context, project_id: string): Promise<void> {
  const { items } = await reachabilityHandlers.listVerdicts(ctx, { project_id, page: 1, page_size: 100 });
  const middleware = items.find(({ cve }) => cve === 'CVE-2025-29927');
  if (middleware === undefined) return;
  await reachabilityHandlers.overrideVerdict(ctx, {
    project_id,
    verdict_id: middleware.id,
    verdict: 'NotExploitable',
    reason: 'The shop does not authorize in Next.js middleware, and the proxy strips the header.',
  });
}

async function makeUnanalyzedProject(ctx: Context, auditingIn: (projectId: string) => Auditing): Promise<void> {
  const { id: project_id } = await projectHandlers.create(ctx, {
    ...sampleProjects.tools,
    exposure: 'isolated',
  });
  await syncPackages({ ...ctx, ...auditingIn(project_id) }, project_id, toolPackages);
}

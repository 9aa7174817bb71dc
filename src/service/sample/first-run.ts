import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { usageReport } from '../../procedures/usage-report.js';
import { alertHandlers } from '../alerts/handlers.js';
import { apiKeyHandlers } from '../api-keys/handlers.js';
import { makePassword } from '../auth/password.js';
import type { Database } from '../db/database.js';
import type { Context } from '../http/handler.js';
import { createOrganisation } from '../operator/create-organisation.js';
import { recordAudit } from '../organisations/record-audit.js';
import { projectHandlers } from '../projects/handlers.js';
import { reachabilityHandlers } from '../reachability/handlers.js';
import { techStackHandlers } from '../tech-stack/handlers.js';
import { samplePackages } from './advisories.js';
import { loadSampleIntelligence } from './load-intelligence.js';
import { sampleUsageReport } from './usage-report.js';

/** What the first run made, as kept in `DATA_DIR/first-run.json`. Keys and project are there with the sample alone. */
export interface FirstRun {
  readonly url: string;
  readonly admin: { readonly email: string; readonly password: string };
  readonly keys?: { readonly read_only: string; readonly read_write: string };
  readonly project_id?: string;
}

interface FirstRunOptions {
  readonly database: Database;
  readonly dataDir: string;
  /** Where the server answers. */
  readonly url: string;
  readonly sample: boolean;
}

/** `.invalid` is nobody's domain (RFC 2606), so no mail can ever reach a stranger. */
const adminEmail = 'admin@sample.invalid';

/**
 * In a database without any organisation, makes the first one; answers null in any other. The credentials are on disk,
 * readable by the owner alone, before the account exists: a start that is cut short locks nobody out.
 */
export async function firstRun({ database, dataDir, url, sample }: FirstRunOptions): Promise<FirstRun | null> {
  const known = await database.system((tx) => tx.selectFrom('organisations').select('id').limit(1).execute());
  if (known.length > 0) return null;
  const admin = { email: adminEmail, password: makePassword() };
  await keep(dataDir, { url, admin });
  const created = await createOrganisation(
    database,
    { name: sample ? 'Sample' : 'My organisation', plan: 'Enterprise', admin: { ...admin, name: 'First admin' } },
    { ip: null, requestId: null },
  );
  if (!sample) return { url, admin };
  await loadSampleIntelligence(database, dataDir);
  const organisationId = created.organisation.id;
  const made = await database.tenant(organisationId, async (tx) => {
    const { id, name } = created.admin;
    const origin = { organisationId, actor: { kind: 'member', id, name }, ip: null, requestId: null } as const;
    const now = new Date();
    return makeSample({
      tx,
      organisationId,
      now,
      caller: {
        kind: 'member',
        organisationId,
        plan: 'Enterprise',
        id,
        name,
        role: 'admin',
        sessionId: '',
        expiresAt: now,
      },
      audit: (event) => recordAudit(tx, origin, event),
    });
  });
  const answer = { url, admin, ...made };
  await keep(dataDir, answer);
  return answer;
}

/** Two keys; a project whose alerts show each tier, kind of usage and band, and an override; and one without verdicts. */
async function makeSample(ctx: Context): Promise<Required<Pick<FirstRun, 'keys' | 'project_id'>>> {
  const readOnly = await apiKeyHandlers.create(ctx, { name: 'Sample, read only', scope: 'ReadOnly' });
  const readWrite = await apiKeyHandlers.create(ctx, { name: 'Sample, read and write', scope: 'ReadWrite' });
  const { id: project_id } = await projectHandlers.create(ctx, {
    name: 'Web shop',
    description: 'A sample: a shop’s back end with a Java search service beside it, a while after anybody looked.',
    exposure: 'internet',
  });
  const packages = samplePackages.map((each) => ({ scope: 'runtime' as const, ...each }));
  await techStackHandlers.sync(ctx, { project_id, source: 'sample', packages });
  const { items } = await alertHandlers.list(ctx, { project_id, page: 1, page_size: 100 });
  const axios = items.find(({ cve }) => cve === 'CVE-2023-45857');
  if (axios !== undefined) {
    const note = 'The shop calls its own hosts only; goes with the next upgrade.';
    await alertHandlers.acknowledge(ctx, { project_id, alert_id: axios.id, note });
  }
  await reachabilityHandlers.uploadUsageReport(ctx, { project_id, report: usageReport.parse(sampleUsageReport) });
  const verdicts = await reachabilityHandlers.listVerdicts(ctx, { project_id, page: 1, page_size: 100 });
  const middleware = verdicts.items.find(({ cve }) => cve === 'CVE-2025-29927');
  if (middleware !== undefined) {
    await reachabilityHandlers.overrideVerdict(ctx, {
      project_id,
      verdict_id: middleware.id,
      verdict: 'NotExploitable',
      reason: 'The shop does not authorize in Next.js middleware, and the proxy strips the header.',
    });
  }
  const { id: unanalyzed } = await projectHandlers.create(ctx, {
    name: 'Build tools',
    description: 'A sample without a usage report: its alerts are unanalyzed.',
    exposure: 'isolated',
  });
  const tools = packages.filter(({ purl }) => /minimatch|cross-spawn/.test(purl));
  await techStackHandlers.sync(ctx, { project_id: unanalyzed, source: 'sample', packages: tools });
  return { keys: { read_only: readOnly.key, read_write: readWrite.key }, project_id };
}

/** Written aside and renamed: the file is whole or not there. */
async function keep(dataDir: string, run: FirstRun): Promise<void> {
  const path = join(dataDir, 'first-run.json');
  await writeFile(`${path}.new`, `${JSON.stringify(run, null, 2)}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
}

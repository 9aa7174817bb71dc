import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { forgetEvents } from '../../../../src/service/alert-details/forget-events.js';
import { continueAssessments } from '../../../../src/service/assessment/continue-assessments.js';
import { httpReceiver } from '../../../../src/service/audit-sink/receivers.js';
import { auditSinkJob, endAuditSink } from '../../../../src/service/audit-sink/sink.js';
import { continueEvaluations } from '../../../../src/service/containers/evaluate-images.js';
import type { Database } from '../../../../src/service/db/database.js';
import { byId } from '../../../../src/service/db/scope.js';
import { emitEvents } from '../../../../src/service/events/outbox.js';
import { dailySync } from '../../../../src/service/feeds/daily-sync.js';
import { JobRunner } from '../../../../src/service/jobs/job-runner.js';
import { tidyLandings } from '../../../../src/service/landing/upkeep.js';
import type { Mail } from '../../../../src/service/mail/mailer.js';
import { queueLink } from '../../../../src/service/mail/queue-link.js';
import { mailsFrom } from '../../../../src/service/mail/write-mail.js';
import { removeDeletedProjects } from '../../../../src/service/projects/removed-projects.js';
import { expireOverrides } from '../../../../src/service/reachability/expire-overrides.js';
import { loadSigningKey } from '../../../../src/service/receipts/signing-key.js';
import { learnVersions } from '../../../../src/service/registries/learn-versions.js';
import { createRegistryLookup } from '../../../../src/service/registries/registry-lookup.js';
import { broughtIn } from '../../../../src/service/remediation/plan-with-releases.js';
import { firstRun } from '../../../../src/service/sample/first-run.js';
import { loadStoredKeys } from '../../../../src/service/secrets/service-keys.js';
import { loadWrappingKeys } from '../../../../src/service/secrets/wrapping-keys.js';
import { abandonedUploads, pruneUploads, renewLeases } from '../../../../src/service/uploads/job-rows.js';
import { deliveriesJob } from '../../../../src/service/webhooks/deliveries.js';
import { sealWebhooks } from '../../../../src/service/webhooks/seal-webhooks.js';
import type { World } from '../../../conformance/world.js';
import { eventually } from '../../../support/eventually.js';
import { testSecrets } from '../../../support/secrets.js';
import type { TestOrganisation, TestService } from '../../../support/service.js';
import { startJob } from '../../../support/start-job.js';
import { kevCatalogue, ndjson, osvRecord, testFolder } from '../../feeds/feed-files.js';
import { startOrigin } from '../../feeds/origin.js';
import { range, sarif } from '../../landing/code-reports.js';
import { notifiedAlert } from '../../webhooks/notifications.js';

/** A mail of each kind; the invite's waits since the world was made. */
async function queueMails(database: Database, { id: organisationId, member }: TestOrganisation, projectId: string) {
  const to = { member_id: member.id };
  const [now, minuteAgo] = [new Date(), new Date(Date.now() - 60_000)];
  const payload = { issued_by: 'the tests' };
  await database.system(async (tx) => {
    await tx.updateTable('members').set({ proven_by: 'mail' }).where(byId(organisationId, member.id)).execute();
    const group = { organisation_id: organisationId, id: 'grp_owned', name: 'Owned', owner_id: member.id };
    await tx.insertInto('project_groups').values(group).execute();
    await tx.updateTable('projects').set({ group_id: group.id }).where(byId(organisationId, projectId)).execute();
  });
  await database.tenant(organisationId, async (tx) => {
    for (const event of ['password_reset', 'address_proof'] as const) {
      await queueLink(tx, { organisationId, event, to, email: member.email, payload, now });
    }
    const red = { type: 'alert.red', data: { total: 1, alerts: [notifiedAlert] } } as const;
    await emitEvents(tx, { organisationId, projectId }, [red], minuteAgo);
  });
}

interface Setting {
  readonly database: Database;
  readonly service: TestService;
  /** Of organisations in different shards. What is due is due in each. */
  readonly worlds: readonly World[];
  /** Runs work whose statements are kept. */
  readonly observe: <T>(work: () => Promise<T>) => Promise<T>;
}

type Job = (setting: Setting) => Promise<unknown>;

const far = new Date('2100-01-01T00:00:00Z');
const ok = ({ status, body }: { readonly status: number; readonly body: unknown }) => {
  if (status !== 200) throw new Error(JSON.stringify(body));
};

/** The first start of a program, before there is an organisation. */
export const start: Job = async ({ database, observe }) => {
  const dataDir = await testFolder();
  await observe(async () => {
    const wrapping = await loadWrappingKeys({ dataDir, configured: ['a'.repeat(32)], isEmbedded: false });
    await loadStoredKeys(database, wrapping);
    await firstRun({ database, secrets: testSecrets, dataDir, url: 'http://127.0.0.1', sample: false });
  });
};

/** What the service does without a procedure's call, some of it after what makes it due. */
export const jobs: Readonly<Record<string, Job>> = {
  'the key of receipts': ({ database, observe }) => observe(() => loadSigningKey(database, [], far)),
  'operator routes': async ({ service, worlds: [world], observe }) => {
    const operate = (method: string, path: string, body?: unknown) =>
      observe(async () => ok(await service.call(service.operatorKey, method, `/api/operator${path}`, body)));
    const admin = { email: `${randomUUID()}@example.com`, name: 'Grace' };
    await operate('POST', '/organisations', { name: 'Orchard', plan: 'Business', admin });
    await operate('GET', '/organisations');
    await operate('PATCH', `/organisations/${world?.organisation.id}`, { plan: 'Business' });
    await operate('POST', '/password-resets', { email: admin.email });
    const organisation_id = world?.organisation.id;
    await operate('POST', '/domains', { organisation_id, domain: 'shards.example.com' });
    await operate('POST', '/addresses', { organisation_id, email: world?.organisation.member.email });
    await operate('GET', '/feeds');
    await operate('GET', '/jobs');
  },
  'leases of jobs': ({ database, observe }) =>
    observe(async () => {
      const job = {
        name: 'nothing',
        everyMs: 1_000,
        shared: 'one_instance',
        failure: '',
        run: async () => {},
      } as const;
      const runner = new JobRunner({ database, logger: pino({ enabled: false }), jobs: [job], isSole: false });
      runner.begin();
      await eventually(async () => {
        if ((await runner.list()).length === 0) throw new Error('the job has no lease');
      });
      await runner.stop();
    }),
  health: ({ service, observe }) => observe(async () => ok(await service.call(null, 'GET', '/api/healthz'))),
  'a call that is repeated': async ({ service, worlds: [world], observe }) => {
    const headers = { 'idempotency-key': randomUUID() };
    const create = () =>
      service.call(world?.organisation.writeKey ?? '', 'POST', '/api/projects', { name: 'b' }, headers);
    await observe(async () => ok(await create()));
    await observe(async () => ok(await create()));
  },
  'webhook deliveries': async ({ database, service, worlds, observe }) => {
    const receiver = await startOrigin((_req, res) => res.writeHead(204).end());
    const { host } = new URL(receiver.url);
    for (const { organisation, projectId } of worlds) {
      const path = `/api/projects/${projectId}/webhooks`;
      const webhook = { kind: 'generic', name: 'here', url: receiver.url, events: ['scan.finished'] };
      ok(await service.call(organisation.writeKey, 'POST', path, webhook));
      ok(await service.call(organisation.writeKey, 'POST', reportsOf(projectId), sarif(range(0, 3))));
    }
    await observe(async () => {
      const options = {
        database,
        secrets: testSecrets,
        allowedHosts: new Set([host]),
        logger: pino({ enabled: false }),
      };
      const deliveries = startJob(database, deliveriesJob(options));
      await eventually(() => {
        if (receiver.requests.length < worlds.length) throw new Error('a webhook was not called');
      });
      await deliveries.stop();
      await sealWebhooks(database, testSecrets);
    });
  },
  'the audit sink': async ({ database, service, worlds, observe }) => {
    const receiver = await startOrigin((_req, res) => res.writeHead(204).end());
    await observe(async () => {
      const logger = pino({ enabled: false });
      const job = await auditSinkJob({
        database,
        receiver: httpReceiver({ url: receiver.url, token: undefined }),
        logger,
      });
      const sink = startJob(database, job);
      for (const { organisation } of worlds)
        ok(await service.call(organisation.writeKey, 'POST', '/api/projects', { name: 'for the sink' }));
      await eventually(() => {
        if (receiver.requests.length === 0) throw new Error('the sink got nothing');
      });
      await sink.stop();
      await endAuditSink(database);
    });
  },
  mails: async ({ database, worlds, observe }) => {
    for (const { organisation, projectId } of worlds) await queueMails(database, organisation, projectId);
    await observe(async () => {
      const sent: string[] = [];
      const send = async ({ subject }: Mail) => {
        sent.push(subject);
        return { outcome: 'delivered' } as const;
      };
      const job = deliveriesJob({
        ...{ database, secrets: testSecrets, allowedHosts: new Set(), logger: pino({ enabled: false }) },
        mail: mailsFrom(database, send, 'https://posture.example.com'),
      });
      const deliveries = startJob(database, job);
      await eventually(() => {
        if (new Set(sent).size < 4) throw new Error('a mail was not sent');
      });
      await deliveries.stop();
    });
  },
  'feeds and what they touch': async ({ database, worlds: [world], observe }) => {
    const { packageName, cve } = world?.intelligence ?? { packageName: '', cve: '' };
    const files: Readonly<Record<string, string>> = {
      '/kev.json': kevCatalogue([{ cveID: cve, dateAdded: '2025-01-03' }]),
      '/epss.csv': `#model_version:v9,score_date:2100-01-01T00:00:00+0000\ncve,epss,percentile\n${cve},0.7,0.8\n`,
      '/osv.ndjson': ndjson([osvRecord({ id: `GHSA-${randomUUID()}`, aliases: ['CVE-1990-1001'] }, packageName)]),
      '/symbols.ndjson': ndjson([
        {
          id: 'GHSA-2222-2222-2222',
          aliases: [cve],
          affected: [{ package: { ecosystem: 'npm', name: packageName }, symbols: ['run'] }],
          evidence: { source: 'advisory_text+fix_commit', confidence: 'high' },
        },
      ]),
    };
    const origin = await startOrigin((req, res) => res.setHeader('etag', '"1"').end(files[req.url ?? '']));
    const failed: unknown[] = [];
    const logger = pino({ level: 'warn' }, { write: (line: string) => failed.push(line) });
    const origins = [
      { kind: 'kev', part: '', url: `${origin.url}/kev.json` },
      { kind: 'epss', part: '', url: `${origin.url}/epss.csv` },
      { kind: 'osv', part: 'npm', url: `${origin.url}/osv.ndjson` },
      { kind: 'symbols', part: '', url: `${origin.url}/symbols.ndjson` },
    ] as const;
    const { sync, lastSync } = dailySync({ database, dataDir: await testFolder(), logger, origins });
    await observe(async () => {
      await sync(new AbortController().signal);
      await lastSync();
    });
    if (failed.length > 0) throw new Error(failed.join('\n'));
  },
  'unfinished assessments and evaluations': async ({ database, worlds, observe }) => {
    const due = { alerts_due_after: '', verdicts_due_after: '' };
    const ids = worlds.map(({ projectId }) => projectId);
    await database.system(async (tx) => {
      await tx.updateTable('projects').set(due).where('id', 'in', ids).execute();
      await tx.updateTable('container_images').set({ monitored: true, evaluated_to: '' }).execute();
    });
    await observe(() => continueAssessments(database));
    await observe(() => continueEvaluations(database));
  },
  'overrides that expire': async ({ database, observe }) => {
    await database.system((tx) =>
      tx
        .updateTable('verdicts')
        .set({ override_expires_at: new Date() })
        .where('override_verdict', 'is not', null)
        .execute(),
    );
    if ((await observe(() => expireOverrides(database, far))) < 2) throw new Error('no override has expired');
  },
  'landings to undo and to sweep': async ({ database, worlds, observe }) => {
    await database.system((tx) =>
      tx
        .insertInto('change_sets')
        .values(
          worlds.flatMap(({ organisation, projectId }) =>
            (['open', 'landed'] as const).map((state) => ({
              ...{ organisation_id: organisation.id, project_id: projectId },
              ...{ state, lease_until: new Date(0) },
            })),
          ),
        )
        .execute(),
    );
    await observe(() => tidyLandings(database));
  },
  uploads: ({ database, observe }) =>
    observe(async () => {
      await renewLeases(database, 'another', new Date());
      await abandonedUploads(database, null, far);
      await pruneUploads(database, far);
    }),
  'answers of registries': async ({ database, worlds, observe }) => {
    const registry = await startOrigin((_req, res) => res.writeHead(404).end());
    const lookup = createRegistryLookup({ database, urls: { npm: registry.url } });
    await observe(() => lookup.find({ ecosystem: 'npm', name: 'a', version: '1.0.0' }, async () => true));
    const ids = worlds.map(({ projectId }) => projectId);
    await database.system(async (tx) => {
      // Each of the strangers' thousands would have its turn.
      await tx.updateTable('projects').set({ lists_due_at: far }).where('id', 'not in', ids).execute();
      await tx.updateTable('projects').set({ lists_due_at: new Date() }).where('id', 'in', ids).execute();
    });
    await observe(() => learnVersions(database, lookup, broughtIn));
    await lookup.close();
  },
  'old events': ({ database, observe }) => observe(() => forgetEvents(database, far)),
  'deleted projects': async ({ database, service, worlds, observe }) => {
    for (const { organisation, projectId } of worlds) {
      ok(await service.call(organisation.writeKey, 'DELETE', `/api/projects/${projectId}`));
    }
    await observe(() => removeDeletedProjects(database));
  },
};

const reportsOf = (projectId: string) =>
  `/api/projects/${projectId}/sast/reports?source_repo=https://example.com/shards`;

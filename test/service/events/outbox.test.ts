import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type WebhookKind, webhookKind } from '../../../src/procedures/webhooks.js';
import type { PackageAdvisory } from '../../../src/service/alerts/find-matches.js';
import { reassessProject } from '../../../src/service/assessment/reassess-project.js';
import { type Notification, notification } from '../../../src/service/events/domain-event.js';
import { expireOverrides } from '../../../src/service/reachability/expire-overrides.js';
import { textAt } from '../../support/at.js';
import { ownDatabase } from '../../support/own-database.js';
import { freshAdvisories } from '../../support/published-fixes.js';
import { startService, type TestService } from '../../support/service.js';
import { advisory, storeAdvisory, unique } from '../alerts/advisories.js';
import { scanWithin } from '../findings/land-scan.js';
import { projectWithVerdicts } from '../reachability/project-with-verdicts.js';
import { dependency, report } from '../reachability/report.js';

let service: TestService;
beforeAll(async () => {
  service = await startService({ database: await ownDatabase() });
  await freshAdvisories(service.database);
});
afterAll(async () => {
  await service.close();
  await service.database.close();
});

const everything = ['alert.red', 'alert.known_exploited', 'verdict.band_raised', 'scan.finished', 'override.changed'];
const severe = {
  severity: 'critical',
  cvss_version: '3.1',
  cvss_score: 9.8,
  cvss_vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
} as const;

const urls: Readonly<Record<WebhookKind, string>> = {
  slack: 'https://hooks.slack.com/services/T0/B0/x',
  googlechat: 'https://chat.googleapis.com/v1/spaces/x',
  teams: 'https://a.b.environment.api.powerplatform.com/x',
  discord: 'https://discord.com/api/webhooks/x',
  generic: 'https://example.com/',
};

/** A project with a webhook, and a package of its own with an advisory on everything below 2.0.0. */
async function watchedProject(
  facts: Partial<PackageAdvisory> = severe,
  events: readonly string[] | null = everything,
  kind: WebhookKind = 'generic',
) {
  const project = await projectWithVerdicts(service);
  const name = unique.packageName();
  const cve = unique.cve();
  await storeAdvisory(service.database, name, advisory(unique.advisoryId(), '0', '2.0.0', { cves: [cve], ...facts }));
  const add = () =>
    service.call(project.organisation.writeKey, 'POST', `${project.path}/webhooks`, {
      kind,
      name: 'ours',
      url: urls[kind],
      ...(events !== null && { events }),
    });
  const { body } = await add();
  const webhookId = textAt(body, 'webhook.id');
  const key = { organisationId: project.organisation.id, projectId: project.projectId };
  return {
    ...project,
    key,
    name,
    cve,
    webhookId,
    purl: `pkg:npm/${name}@1.0.0`,
    addAnother: add,
    reconcile: () => service.database.tenant(key.organisationId, (tx) => reassessProject(tx, key, new Date())),
    listInKev: () =>
      service.database.system((tx) =>
        tx.insertInto('kev').values({ cve, date_added: '2025-01-02', due_date: null, ransomware: false }).execute(),
      ),
    scoreEpss: (probability: number) =>
      service.database.system((tx) =>
        tx
          .insertInto('epss')
          .values({ cve, probability, percentile: 0.9, scored_on: '2025-01-02', model: 'any' })
          .execute(),
      ),
    /** What the outbox holds, oldest first. */
    async outbox(): Promise<Notification[]> {
      const rows = await service.database.system((tx) =>
        tx
          .selectFrom('webhook_deliveries')
          .select((row) => row.ref('payload').$castTo<Notification>().as('payload'))
          .where('organisation_id', '=', key.organisationId)
          .orderBy('created_at')
          .orderBy('event')
          .execute(),
      );
      return rows.map(({ payload }) => notification.parse(payload));
    },
  };
}

const typesOf = (notifications: readonly Notification[]) => notifications.map(({ type }) => type);

describe('alert.red', () => {
  test('a new RED alert, and one that is back', async () => {
    const project = await watchedProject();
    await project.sync(project.purl);
    await project.sync();
    await project.sync(project.purl);
    const [first, second, ...more] = await project.outbox();
    expect(more).toEqual([]);
    expect(first).toMatchObject({
      type: 'alert.red',
      data: {
        project: { id: project.projectId },
        total: 1,
        alerts: [
          {
            vulnerability_id: project.cve,
            package: { ecosystem: 'npm', name: project.name },
            versions: ['1.0.0'],
            safe_version: '2.0.0',
            safe_version_status: 'unverified',
            tier: 'RED',
            cvss_score: 9.8,
            change: 'new',
          },
        ],
      },
    });
    expect(second).toMatchObject({ type: 'alert.red', data: { alerts: [{ change: 'reopened' }] } });
  });

  test('with no version to go to where the advisories are over 7 days old', async () => {
    const setAge = (days: number) =>
      service.database.system((tx) =>
        sql`update feeds set published_at = now() - make_interval(days => ${days})`.execute(tx),
      );
    onTestFinished(async () => {
      await setAge(0);
    });
    await setAge(8);
    const project = await watchedProject();
    await project.sync(project.purl);
    expect(await project.outbox()).toMatchObject([
      { data: { alerts: [{ vulnerability_id: project.cve, safe_version: null, safe_version_status: null }] } },
    ]);
  });

  test('no YELLOW alert, and nothing where nothing has changed', async () => {
    const project = await watchedProject({ ...severe, cvss_score: 7.5 });
    await project.sync(project.purl);
    await project.reconcile();
    expect(await project.outbox()).toEqual([]);
  });

  test('a YELLOW alert that turns RED by its EPSS, once', async () => {
    const project = await watchedProject({ ...severe, cvss_score: 7.5 });
    await project.sync(project.purl);
    await project.scoreEpss(0.5);
    await project.reconcile();
    await project.reconcile();
    expect(await project.outbox()).toMatchObject([
      { type: 'alert.red', data: { total: 1, alerts: [{ tier: 'RED', epss: 0.5, change: 'raised' }] } },
    ]);
  });

  test('an alert that turns RED by coming into the catalogue', async () => {
    const project = await watchedProject({ ...severe, cvss_score: 5 });
    await project.sync(project.purl);
    await project.listInKev();
    await project.reconcile();
    expect(typesOf(await project.outbox())).toEqual(['alert.known_exploited']);
  });

  test('of the known exploited alerts, a webhook without their own event hears by alert.red', async () => {
    const project = await watchedProject(severe, ['alert.red']);
    await project.listInKev();
    await project.sync(project.purl);
    expect(await project.outbox()).toMatchObject([
      { type: 'alert.red', data: { total: 1, alerts: [{ known_exploited: true }] } },
    ]);
  });

  test('many at once are one notification, with the number and the five worst', async () => {
    const project = await watchedProject();
    const purls: string[] = [];
    for (let place = 0; place < 8; place += 1) {
      const name = unique.packageName();
      const facts = { ...severe, cvss_score: 9 + place / 10, malicious: place === 0 };
      await storeAdvisory(service.database, name, advisory(unique.advisoryId(), '0', '2.0.0', facts));
      purls.push(`pkg:npm/${name}@1.0.0`);
    }
    await project.sync(...purls);
    const [only, ...more] = await project.outbox();
    expect(more).toEqual([]);
    expect(only).toMatchObject({ type: 'alert.red', data: { total: 8 } });
    if (only?.type !== 'alert.red') throw new Error('no alert.red');
    expect(only.data.alerts.map(({ cvss_score }) => cvss_score)).toEqual([9, 9.7, 9.6, 9.5, 9.4]);
  });
});

/** As a webhook is that nobody chose events for. */
const byDefault = null;

describe('the default events', () => {
  test.each(webhookKind.options)('one message for one new known exploited alert: %s', async (kind) => {
    const project = await watchedProject(severe, byDefault, kind);
    await project.listInKev();
    await project.sync(project.purl);
    expect(await project.outbox()).toMatchObject([
      { type: 'alert.known_exploited', data: { total: 1, alerts: [{ vulnerability_id: project.cve, tier: 'RED' }] } },
    ]);
    await project.reconcile();
    expect(await project.outbox()).toHaveLength(1);
  });

  test('beside it, other RED alerts are counted in alert.red without it', async () => {
    const project = await watchedProject(severe, byDefault);
    const other = unique.packageName();
    await storeAdvisory(service.database, other, advisory(unique.advisoryId(), '0', '2.0.0', severe));
    await project.listInKev();
    await project.sync(project.purl, `pkg:npm/${other}@1.0.0`);
    expect(await project.outbox()).toMatchObject([
      { type: 'alert.known_exploited', data: { total: 1, alerts: [{ package: { name: project.name } }] } },
      { type: 'alert.red', data: { total: 1, alerts: [{ package: { name: other } }] } },
    ]);
  });

  test('an alert that is RED already and is listed later: one message then', async () => {
    const project = await watchedProject(severe, byDefault);
    await project.sync(project.purl);
    await project.listInKev();
    await project.reconcile();
    expect(typesOf(await project.outbox())).toEqual(['alert.red', 'alert.known_exploited']);
  });
});

describe('alert.known_exploited', () => {
  test('a new alert in the catalogue', async () => {
    const project = await watchedProject(severe, ['alert.known_exploited']);
    await project.listInKev();
    await project.sync(project.purl);
    expect(await project.outbox()).toMatchObject([
      { type: 'alert.known_exploited', data: { total: 1, alerts: [{ known_exploited: true, change: 'new' }] } },
    ]);
  });

  test('an alert that comes into the catalogue, once', async () => {
    const project = await watchedProject({ ...severe, cvss_score: 5 }, ['alert.known_exploited']);
    await project.sync(project.purl);
    expect(await project.outbox()).toEqual([]);
    await project.listInKev();
    await project.reconcile();
    await project.reconcile();
    expect(await project.outbox()).toMatchObject([
      {
        type: 'alert.known_exploited',
        data: { total: 1, alerts: [{ vulnerability_id: project.cve, change: 'listed' }] },
      },
    ]);
  });
});

describe('verdict.band_raised', () => {
  test('a recomputation that raises the band, not the first one, nor one that lowers it', async () => {
    const project = await watchedProject(severe, ['verdict.band_raised']);
    await project.sync(project.purl);
    await project.upload(report([dependency(project.purl, 'unused')]));
    expect(await project.outbox()).toEqual([]);
    await project.upload(report([dependency(project.purl, 'reached')]));
    const [verdict] = await project.verdicts();
    expect(await project.outbox()).toMatchObject([
      {
        type: 'verdict.band_raised',
        data: {
          total: 1,
          verdicts: [
            {
              verdict_id: verdict?.id,
              vulnerability_id: project.cve,
              from: 'likely_not_exploitable',
              to: verdict?.band,
              effective_priority: verdict?.effective_priority,
            },
          ],
        },
      },
    ]);
    await project.upload(report([dependency(project.purl, 'unused')]));
    expect(await project.outbox()).toHaveLength(1);
  });

  test('an override in force keeps the band, and so nothing is emitted', async () => {
    const project = await watchedProject(severe, ['verdict.band_raised']);
    await project.sync(project.purl);
    await project.upload(report([dependency(project.purl, 'unused')]));
    const [verdict] = await project.verdicts();
    await project.override(verdict?.id ?? '', { verdict: 'NotExploitable', reason: 'sandboxed' });
    await project.upload(report([dependency(project.purl, 'reached')]));
    expect(await project.outbox()).toEqual([]);
    await project.clear(verdict?.id ?? '');
    expect(typesOf(await project.outbox())).toEqual(['verdict.band_raised']);
  });
});

test('override.changed: set, cleared, and expired', async () => {
  const project = await watchedProject(severe, ['override.changed']);
  await project.sync(project.purl);
  await project.upload(report([dependency(project.purl, 'unused')]));
  const [verdict] = await project.verdicts();
  const id = verdict?.id ?? '';
  await project.override(id, { verdict: 'Exploitable', reason: 'a plugin calls it' });
  await project.override(id, { verdict: 'Exploitable', reason: 'a plugin calls it' });
  await project.clear(id);
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  await project.override(id, { verdict: 'NotExploitable', reason: 'for now', expires_at });
  await expireOverrides(service.database, new Date(Date.now() + 7_200_000));
  const override = {
    verdict_id: id,
    vulnerability_id: project.cve,
    package: { name: project.name },
    known_exploited: false,
  };
  const by = project.organisation.member.name;
  expect(await project.outbox()).toMatchObject([
    { data: { override: { ...override, change: 'set', verdict: 'Exploitable', reason: 'a plugin calls it', by } } },
    { data: { override: { ...override, change: 'cleared', verdict: 'Exploitable', by } } },
    { data: { override: { ...override, change: 'set', verdict: 'NotExploitable', expires_at } } },
    { data: { override: { ...override, change: 'expired', verdict: 'NotExploitable', by: 'Override expiry' } } },
  ]);
});

test('override.changed says what is known exploited, whatever was ruled', async () => {
  const project = await watchedProject(severe, ['override.changed']);
  await project.listInKev();
  await project.sync(project.purl);
  await project.upload(report([dependency(project.purl, 'unused')]));
  const [verdict] = await project.verdicts();
  await project.override(verdict?.id ?? '', { verdict: 'NotExploitable', reason: 'for now' });
  expect(await project.outbox()).toMatchObject([
    { data: { override: { verdict: 'NotExploitable', known_exploited: true } } },
  ]);
});

test('scan.finished: once for a scan, and not for the same report again', async () => {
  const project = await watchedProject();
  const scan = {
    domain: 'code',
    source: 'https://example.com/shop',
    searched: [{ tool: 'semgrep', scope: [], parts: null }],
    findings: [],
    mode: null,
    contentHash: Buffer.from(randomUUID()),
    startedAt: null,
    reportedAt: null,
  } as const;
  const apply = () =>
    service.database.tenant(project.key.organisationId, (tx) => scanWithin(tx, project.key, scan, new Date()));
  const { scan_job_id } = await apply();
  await apply();
  expect(await project.outbox()).toMatchObject([
    {
      type: 'scan.finished',
      data: { scan: { id: scan_job_id, domain: 'code', source: scan.source, status: 'done', findings: { total: 0 } } },
    },
  ]);
});

test('each webhook gets the events it wants, and none that is switched off or of another project', async () => {
  const project = await watchedProject(severe, ['alert.red']);
  const other = await watchedProject();
  const another = textAt((await project.addAnother()).body, 'webhook.id');
  const off = textAt((await project.addAnother()).body, 'webhook.id');
  await service.call(project.organisation.writeKey, 'PATCH', `${project.path}/webhooks/${off}`, { enabled: false });
  await project.listInKev();
  await project.sync(project.purl);
  const rows = await service.database.system((tx) =>
    tx
      .selectFrom('webhook_deliveries')
      .select(['webhook_id', 'event', 'status'])
      .where('organisation_id', '=', project.key.organisationId)
      .execute(),
  );
  expect(new Set(rows.map(({ webhook_id }) => webhook_id))).toEqual(new Set([project.webhookId, another]));
  expect(rows.map(({ event, status }) => `${event} ${status}`)).toEqual(['alert.red queued', 'alert.red queued']);
  expect(await other.outbox()).toEqual([]);
});

test('what is rolled back is not emitted', async () => {
  const project = await watchedProject();
  const { key } = project;
  const failing = service.database.tenant(key.organisationId, async (tx) => {
    await tx
      .insertInto('tech_stack_items')
      .values({
        organisation_id: key.organisationId,
        id: randomUUID(),
        project_id: key.projectId,
        source: 'lock',
        ecosystem: 'npm',
        name: project.name,
        package_name: project.name,
        version: '1.0.0',
        scope: 'runtime',
        updated_at: new Date(),
      })
      .execute();
    expect(await reassessProject(tx, key, new Date())).toMatchObject({ opened: 1 });
    throw new Error('too late');
  });
  await expect(failing).rejects.toThrow('too late');
  expect(await project.outbox()).toEqual([]);
});

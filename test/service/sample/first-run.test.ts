import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alerts } from '../../../src/procedures/alerts.js';
import { posture } from '../../../src/procedures/posture.js';
import { reachability } from '../../../src/procedures/reachability.js';
import type { Database } from '../../../src/service/db/database.js';
import { type FirstRun, firstRun } from '../../../src/service/sample/first-run.js';
import { usageClasses, verdictBands } from '../../../src/shared/vulnerability-terms.js';
import { at, textAt } from '../../support/at.js';
import { callTool } from '../../support/gateway.js';
import { ownDatabase } from '../../support/own-database.js';
import { startPostern, type TestPostern } from '../../support/postern.js';
import { testSecrets } from '../../support/secrets.js';
import { startService } from '../../support/service.js';
import { everyProcedure } from '../../support/upstream.js';

let database: Database;
let service: TestPostern;
let dataDir: string;
beforeAll(async () => {
  database = await ownDatabase();
  service = await startPostern({ database });
  dataDir = await mkdtemp(join(tmpdir(), 'postern-first-run-'));
});
afterAll(async () => {
  await service.close();
  await database.close();
  await rm(dataDir, { recursive: true });
});

describe('the first run', () => {
  let first: FirstRun;
  beforeAll(async () => {
    const made = await firstRun({ database, secrets: testSecrets, dataDir, url: service.url, sample: true });
    if (made === null) throw new Error('the database is not empty');
    first = made;
  });

  test('keeps its credentials in a file that its owner alone can read', async () => {
    const path = join(dataDir, 'first-run.json');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(first);
  });

  test('gives credentials that work, each for what it may do', async () => {
    const session = await service.call(null, 'POST', '/api/session', first.admin);
    const list = await service.call(textAt(session.body, 'token'), 'GET', '/api/org/api-keys');
    expect(list).toMatchObject({ status: 200, body: { total: 2 } });
    const create = (key: string | undefined) => service.call(key ?? null, 'POST', '/api/projects', { name: 'Another' });
    expect((await create(first.keys?.read_only)).status).toBe(403);
    expect((await create(first.keys?.read_write)).status).toBe(200);
  });

  test('shows all tiers, states, bands and kinds of usage, and an override', async () => {
    const key = first.keys?.read_only ?? null;
    const projects = await service.call(key, 'GET', '/api/projects');
    const ids = [at(projects.body, 'items')].flat().map((project) => textAt(project, 'id'));
    const pages = await Promise.all(
      ids.map((id) => service.call(key, 'GET', `/api/projects/${id}/alerts?page_size=100`)),
    );
    const items = pages.flatMap(({ body }) => alerts.list.output.parse(body).items);
    expect(new Set(items.map(({ tier }) => tier))).toEqual(new Set(['RED', 'YELLOW', 'GREEN']));
    expect(new Set(items.map(({ band }) => band))).toEqual(new Set([...verdictBands, 'unanalyzed']));
    expect(new Set(items.map(({ status }) => status))).toEqual(new Set(['open', 'acknowledged', 'resolved']));
    const { body } = await service.call(
      key,
      'GET',
      `/api/projects/${first.project_id}/reachability/verdicts?page_size=100`,
    );
    const verdicts = reachability.listVerdicts.output.parse(body).items;
    expect(new Set(verdicts.map(({ evidence }) => evidence.usage.class))).toEqual(new Set(usageClasses));
    expect(verdicts.filter(({ override }) => override !== null)).toHaveLength(1);
  });

  test('was done in its projects, as the audit log says', async () => {
    const input = { project_id: 'Web shop', action: 'alert.acknowledge' };
    const answer = await ask('get_audit_log', input);
    expect(answer).toMatchObject({ items: [{ vulnerability_id: 'CVE-2023-45857', project: { name: 'Web shop' } }] });
    const all = at(await ask('get_audit_log', { page_size: 100 }), 'items');
    const ofNone = [all].flat().filter((entry) => at(entry, 'project') === null);
    const actions = new Set(ofNone.map((entry) => textAt(entry, 'action').replace(/\..*/, '')));
    expect([...actions].toSorted()).toEqual(['api_key', 'invite', 'organisation', 'session']);
  });

  /** What a tool answers to the sample's read-only key. */
  async function ask(tool: string, input: unknown): Promise<unknown> {
    const headers = { authorization: `Bearer ${first.keys?.read_only}` };
    const { isError, text, structuredContent } = await callTool(service, tool, input, { headers });
    expect(isError, `${tool}: ${text}`).toBe(false);
    return structuredContent;
  }

  const readTools = everyProcedure.flatMap(([, { tool, access, input }]) =>
    tool !== undefined && access === 'read' ? [[tool, Object.keys(input.shape)] as const] : [],
  );

  test.each(readTools)('%s has something to show', async (tool, fields) => {
    const { project_id } = first;
    const [alerts, verdicts, images] = [
      await ask('list_alerts', { project_id }),
      await ask('list_reachability_verdicts', { project_id }),
      await ask('list_container_images', { project_id }),
    ];
    const known: Readonly<Record<string, unknown>> = {
      project_id,
      alert_id: textAt(alerts, 'items.0.id'),
      verdict_id: textAt(verdicts, 'items.0.id'),
      image_id: textAt(images, 'items.1.id'),
      purl: 'pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1',
      cve: 'CVE-2021-44228',
    };
    // `cve` filters verdicts, and is what exposure is asked about: the sample has it for both.
    const input = Object.fromEntries(fields.flatMap((name) => (name in known ? [[name, known[name]]] : [])));
    const answer = await ask(tool, input);
    const lists = Object.entries(Object(answer)).filter(
      ([name, value]) => name !== 'unavailable' && Array.isArray(value),
    );
    for (const [name, list] of lists) expect(at(list, '0'), `${tool}: ${name}`).toBeDefined();
    expect(at(answer, 'unavailable') ?? []).toEqual([]);
  });

  test('has open findings in all four domains, some of them new, and a week with new and mended ones', async () => {
    const summary = posture.getSummary.output.parse(await ask('get_posture_summary', {}));
    for (const [domain, open] of Object.entries(summary.open)) {
      expect(
        Object.values(open ?? {}).reduce((sum, count) => sum + count, 0),
        domain,
      ).toBeGreaterThan(0);
    }
    expect(summary.suppressed).toBeGreaterThan(0);
    expect(summary.trend).toMatch(/^RED \d+ -> \d+ over 7 days: [1-9]\d* new, \d+ reopened, [1-9]\d* resolved$/);
    const { domains, worst_new } = posture.getFindingsDiff.output.parse(await ask('get_findings_diff', {}));
    for (const [domain, changes] of Object.entries(domains)) expect(changes?.resolved, domain).toBeGreaterThan(0);
    expect(worst_new.map(({ cve }) => cve)).toContain('CVE-2021-21315');
  });

  test('shows a better base for the shop’s image, with the line to change', async () => {
    const { project_id } = first;
    const images = await ask('list_container_images', { project_id });
    const image_id = textAt(images, 'items.1.id');
    expect(await ask('get_base_image_advice', { project_id, image_id })).toMatchObject({
      base: { ref: 'docker.io/library/node:18.12.1-bullseye' },
      alternatives: [{ ref: 'docker.io/library/node:20.18.1-bookworm-slim', delta: { red: -3, yellow: -1, green: 0 } }],
      dockerfile: { line: 1, suggested: 'FROM node:20.18.1-bookworm-slim' },
    });
    const found = at(await ask('list_container_findings', { project_id, image: image_id }), 'items');
    expect(new Set([found].flat().map((finding) => textAt(finding, 'layer')))).toEqual(new Set(['base_image', 'own']));
  });

  test.each(['sast', 'dast'])('shows findings of each tier, and a mended one: %s', async (kind) => {
    const answer = await ask(`list_${kind}_findings`, { project_id: first.project_id, state: 'all' });
    const items = [at(answer, 'items')].flat();
    expect(new Set(items.map((finding) => textAt(finding, 'tier')))).toEqual(new Set(['RED', 'YELLOW', 'GREEN']));
    expect(items.map((finding) => textAt(finding, 'state'))).toContain('fixed');
  });

  test('looks used: what it has found was first seen over five weeks, and nothing after now', async () => {
    const rows = await database.system(async (tx) => [
      ...(await tx.selectFrom('alerts').select('first_seen_at').execute()),
      ...(await tx.selectFrom('findings').select('first_seen_at').execute()),
    ]);
    const ages = rows.map(({ first_seen_at }) => (Date.now() - first_seen_at.getTime()) / 86_400_000);
    expect(Math.min(...ages)).toBeGreaterThan(0);
    expect(Math.max(...ages)).toBeGreaterThan(34);
    expect(new Set(ages.map((age) => Math.floor(age / 7))).size).toBeGreaterThanOrEqual(4);
  });

  test('sends nothing: its webhook is switched off, and nothing has been queued for it', async () => {
    const webhooks = await ask('list_webhooks', { project_id: first.project_id });
    expect(at(webhooks, 'items')).toMatchObject([{ kind: 'generic', enabled: false, last_delivery: null }]);
    expect(await database.system((tx) => tx.selectFrom('webhook_deliveries').select('id').execute())).toEqual([]);
  });

  test('is one: a second start makes nothing', async () => {
    expect(await firstRun({ database, secrets: testSecrets, dataDir, url: service.url, sample: true })).toBeNull();
  });
});

test('without the sample there is an organisation with an admin, and nothing else', async () => {
  const empty = await ownDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'postern-first-run-'));
  const bare = await startService({ database: empty });
  try {
    const first = await firstRun({
      database: empty,
      secrets: testSecrets,
      dataDir: folder,
      url: bare.url,
      sample: false,
    });
    expect(Object.keys(first ?? {})).toEqual(['url', 'admin']);
    const session = await bare.call(null, 'POST', '/api/session', first?.admin);
    const token = textAt(session.body, 'token');
    expect(await bare.call(token, 'GET', '/api/projects')).toMatchObject({ body: { total: 0 } });
    expect(await bare.call(token, 'GET', '/api/org/members')).toMatchObject({ body: { total: 1 } });
  } finally {
    await bare.close();
    await empty.close();
    await rm(folder, { recursive: true });
  }
});

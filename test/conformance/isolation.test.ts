import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AnyProcedure } from '../../src/procedures/define.js';
import type { Transaction } from '../../src/service/db/database.js';
import type { StoredEvidence } from '../../src/verdict/evidence.js';
import { at } from '../support/at.js';
import { startPostern, type TestPostern } from '../support/postern.js';
import type { TestOrganisation } from '../support/service.js';
import { everyProcedure } from '../support/upstream.js';
import { answerOf, transports, transportsOf } from './transports.js';

const organisationCount = 50;
const callsOfEach = 20;
const cve = 'CVE-1988-123456789';
const today = new Date().toISOString().slice(0, 10);

let postern: TestPostern;
let tenants: Tenant[];
beforeAll(async () => {
  // What 50 organisations ask at once takes a while on a busy machine; how long is not the question here.
  postern = await startPostern({ limitMs: 100_000 });
  tenants = [];
  for (let number = 0; number < organisationCount; number++) {
    const organisation = await postern.newOrganisation();
    const mark = `mark${number}end`;
    await postern.database.system((tx) => fill(tx, organisation, mark));
    tenants.push({ organisation, mark });
  }
});
afterAll(() => postern.close());

interface Tenant {
  readonly organisation: TestOrganisation;
  /** Stands in every row of the organisation, and in no other's. */
  readonly mark: string;
}

/** The rows of one organisation: the same ids as every other's. */
async function fill(tx: Transaction, { id: organisation_id, readKeyId, writeKeyId }: TestOrganisation, mark: string) {
  const project = { organisation_id, project_id: 'prj_same' };
  await tx.updateTable('organisations').set({ name: mark }).where('id', '=', organisation_id).execute();
  for (const [id, same] of [
    [readKeyId, 'key_read'],
    [writeKeyId, 'key_write'],
  ] as const) {
    await tx
      .updateTable('api_keys')
      .set({ id: same, name: mark })
      .where('organisation_id', '=', organisation_id)
      .where('id', '=', id)
      .execute();
  }
  await tx
    .insertInto('projects')
    .values({ organisation_id, id: 'prj_same', name: mark, description: null, exposure: 'unknown', repo: null })
    .execute();
  await tx
    .insertInto('tech_stack_items')
    .values({
      ...project,
      ...{ id: 'tsi_same', source: mark, ecosystem: 'npm', name: 'same', package_name: 'same', version: '1.0.0' },
      ...{ scope: 'runtime', direct: null, deprecated: mark },
    })
    .execute();
  for (const [id, vulnerability_id] of [
    ['alr_same', cve],
    // Nobody acknowledges this one: it stays among the risks.
    ['alr_open', `${cve}0`],
  ] as const) {
    await tx
      .insertInto('alerts')
      .values({
        ...project,
        ...{ id, vulnerability_id, ecosystem: 'npm', package_name: 'same', advisory_ids: ['GHSA-same'] },
        ...{ cves: [vulnerability_id], title: mark, versions: ['1.0.0'], malicious: false, tier: 'RED' },
        ...{ effective_priority: 50, verdict_band: 'needs_review', turns: [today] },
      })
      .execute();
  }
  await tx
    .insertInto('usage_reports')
    .values({
      ...project,
      ...{ id: 'rep_same', content_hash: Buffer.alloc(32), analyser: mark, generated_at: new Date(), complete: true },
      ...{ report: '{}', uploaded_by: mark },
    })
    .execute();
  await tx
    .insertInto('verdicts')
    .values({
      ...project,
      ...{ id: 'vrd_same', alert_id: 'alr_same', machine_score: 50, machine_band: 'needs_review' },
      ...{ evidence: JSON.stringify(evidenceOf(mark)), evidence_hash: Buffer.alloc(32), computed_at: new Date() },
    })
    .execute();
}

function evidenceOf(mark: string): StoredEvidence {
  return {
    versions: ['1.0.0'],
    usage: {
      usage: 'imported',
      confidence: 'high',
      vulnerableSymbols: [],
      sites: [{ file: mark, line: 1, column: 1, symbols: [] }],
      siteCount: 1,
      paths: [],
    },
    exploit: { severity: null, cvss: null, attackVector: null, epss: null, kev: null },
    exposure: 'unknown',
  };
}

const project = { project_id: 'prj_same' };

/** What is asked, by each tenant alike: ids that all have. */
const inputs = new Map<string, (tenant: Tenant) => Record<string, unknown>>([
  ['organisation.get', () => ({})],
  ['projects.list', () => ({})],
  ['projects.get', () => project],
  ['projects.update', ({ mark }) => ({ ...project, description: mark })],
  ['alerts.list', () => project],
  ['alerts.get', () => ({ alert_id: 'alr_same' })],
  ['alerts.acknowledge', ({ mark }) => ({ ...project, alert_id: 'alr_same', note: mark })],
  ['reachability.listVerdicts', () => project],
  ['reachability.getVerdict', () => ({ verdict_id: 'vrd_same' })],
  ['techStack.list', () => ({})],
  ['intelligence.findExposed', () => ({ cve })],
  ['intelligence.getPackageHealth', () => project],
  ['posture.getTopRisks', () => ({})],
  ['posture.getFindingsDiff', () => ({ window_days: 90 })],
  ['posture.getDomainRisks', () => ({ domain: 'dependencies' })],
  ['organisation.getAuditLog', () => ({ action: 'project.update' })],
]);

const asked: ReadonlyArray<readonly [path: string, procedure: AnyProcedure]> = everyProcedure.filter(([path]) =>
  inputs.has(path),
);

test('1,000 interleaved calls of 50 organisations with equal ids: no answer crosses', {
  timeout: 600_000,
}, async () => {
  expect(asked).toHaveLength(inputs.size);
  const mostDoors = 3;
  const seen: string[] = [];
  /** One tenant's calls come one after the other, those of all tenants at once, each with another procedure and transport. */
  const callsOf = async (tenant: Tenant, number: number) => {
    const { organisation, mark } = tenant;
    for (let call = 0; call < callsOfEach; call++) {
      const [path, procedure] = asked[(number * 7 + call) % asked.length] ?? ['', undefined];
      if (procedure === undefined) throw new Error('nothing is asked');
      const [first, ...others] = transportsOf(procedure);
      const transport = [first, ...others][(number + call) % mostDoors] ?? first;
      const credential = procedure.access === 'read' && call % 2 === 0 ? organisation.readKey : organisation.writeKey;
      const result = await transports[transport](
        postern.url,
        credential,
        path,
        procedure,
        inputs.get(path)?.(tenant) ?? {},
      );
      const marks = JSON.stringify(answerOf(result)).match(/mark\d+end/g) ?? [];
      if (path !== 'organisation.getAuditLog') expect(marks.length, `${transport} ${path}`).toBeGreaterThan(0);
      expect(
        [...new Set(marks)].filter((each) => each !== mark),
        `${transport} ${path} of ${mark}`,
      ).toEqual([]);
      seen.push(`${transport} ${path}`);
    }
  };
  await Promise.all(tenants.map(callsOf));
  expect(seen).toHaveLength(1_000);
  expect(new Set(seen).size).toBe(asked.flatMap(([, procedure]) => transportsOf(procedure)).length);
});

test('afterwards each organisation has its own changes, and no other’s', async () => {
  for (const { organisation, mark } of tenants) {
    const read = async (path: string) => (await postern.call(organisation.readKey, 'GET', `/api/projects${path}`)).body;
    expect(await read('')).toMatchObject({ total: 1, items: [{ id: 'prj_same', name: mark }] });
    expect([mark, null]).toContain(at(await read('/prj_same'), 'description'));
    expect([mark, undefined]).toContain(at(await read('/prj_same/alerts'), 'items.0.acknowledged.note'));
    const { body } = await postern.call(organisation.readKey, 'GET', '/api/org/audit-log?page_size=100');
    expect((JSON.stringify(body).match(/mark\d+end/g) ?? []).filter((each) => each !== mark)).toEqual([]);
  }
});

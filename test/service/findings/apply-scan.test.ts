import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../src/service/db/database.js';
import { contentHashOf } from '../../../src/service/findings/identity.js';
import { findingsPage } from '../../../src/service/findings/list-findings.js';
import { newestJobs, scanJobs } from '../../../src/service/findings/list-scan-jobs.js';
import type { ReportedFinding, Scan } from '../../../src/service/findings/scan.js';
import { pageOfRows } from '../../../src/service/http/page.js';
import { ownDatabase } from '../../support/own-database.js';
import { startService, type TestService } from '../../support/service.js';
import { newOrganisationWithProject } from '../projects/new-project.js';
import { landScan } from './land-scan.js';

// Of its own: which index is read depends on how many rows others have.
let database: Database;
let service: TestService;
beforeAll(async () => {
  database = await ownDatabase();
  service = await startService({ database });
});
afterAll(async () => {
  await service.close();
  await database.close();
});

const sha256 = (text: string) => createHash('sha256').update(text).digest();

function finding(name: string, more: Partial<ReportedFinding> = {}): ReportedFinding {
  return {
    tool: 'scanner',
    seer: { tool: more.tool ?? 'scanner', scope: [] },
    identity: sha256(name),
    rule_id: name,
    title: name,
    severity: 'medium',
    tier: 'YELLOW',
    suppressed: false,
    cve: null,
    epss: null,
    kev_added: null,
    details: {},
    ...more,
  };
}

async function newProject() {
  const { organisation, projectId } = await newOrganisationWithProject(service);
  const project = { organisationId: organisation.id, projectId };
  return {
    project,
    apply: (findings: readonly ReportedFinding[], more: Partial<Scan> = {}, now = new Date()) =>
      landScan(
        service.database,
        project,
        {
          domain: 'containers',
          source: 'image',
          searched: [{ tool: 'scanner', scope: [], parts: null }],
          findings,
          mode: null,
          contentHash: sha256(randomUUID()),
          startedAt: null,
          reportedAt: null,
          ...more,
        },
        now,
      ),
    rows: () =>
      service.database.tenant(organisation.id, (tx) =>
        tx
          .selectFrom('findings')
          .selectAll()
          .where('project_id', '=', projectId)
          .orderBy('rule_id')
          .orderBy('tool', 'desc')
          .execute(),
      ),
  };
}

describe('a scan', () => {
  test('counts a finding that it tells twice once, at its worst', async () => {
    const { apply, rows } = await newProject();
    const twice = [
      finding('a', { severity: 'low', tier: 'GREEN' }),
      finding('a', { severity: 'critical', tier: 'RED' }),
      finding('a', { severity: 'critical', tier: 'RED', suppressed: true }),
      finding('a', { tool: 'other' }),
    ];
    expect(await apply(twice)).toMatchObject({
      findings: { total: 2, new: 2 },
      tiers: { red: 1, yellow: 1, green: 0 },
    });
    expect(await rows()).toMatchObject([{ severity: 'critical', state: 'open' }, { tool: 'other' }]);
  });

  test('keeps the facts that only some domains know, and follows them', async () => {
    const { apply, rows } = await newProject();
    const known = { cve: 'CVE-2021-44228', epss: 0.97, kev_added: '2021-12-10', details: { layer: ['base', 1] } };
    await apply([finding('a', known)], {}, new Date('2026-01-01T00:00:00Z'));
    expect(await rows()).toMatchObject([
      { cve: 'CVE-2021-44228', epss: 0.97, kev_added: '2021-12-10', details: { layer: ['base', 1] } },
    ]);
    await apply([finding('a', { title: 'renamed' })], {}, new Date('2026-01-02T00:00:00Z'));
    expect(await rows()).toMatchObject([
      {
        title: 'renamed',
        cve: null,
        epss: null,
        kev_added: null,
        details: {},
        first_seen_at: new Date('2026-01-01T00:00:00Z'),
        last_seen_at: new Date('2026-01-02T00:00:00Z'),
      },
    ]);
  });

  test('of many findings is written in batches, each exactly once', async () => {
    const { apply } = await newProject();
    const many = Array.from({ length: 2_501 }, (_, n) => finding(`f${n}`));
    expect(await apply(many)).toMatchObject({ findings: { new: 2_501 }, tiers: { yellow: 2_501 } });
    expect(await apply(many.slice(1_200))).toMatchObject({ findings: { unchanged: 1_301, fixed: 1_200 } });
    expect(await apply(many)).toMatchObject({ findings: { unchanged: 1_301, reopened: 1_200 } });
  });

  test('of one project waits for another of it', async () => {
    const { apply } = await newProject();
    const results = await Promise.all([apply([finding('a')]), apply([finding('a')]), apply([finding('a')])]);
    expect(results.map(({ findings }) => findings.new).sort()).toEqual([0, 0, 1]);
  });

  test('that fails leaves nothing', async () => {
    const { apply, rows } = await newProject();
    const broken = finding('b', { kev_added: 'not a day' });
    await expect(apply([finding('a'), broken])).rejects.toThrow(/date/);
    expect(await rows()).toEqual([]);
    expect(await apply([finding('a')])).toMatchObject({ findings: { new: 1 } });
  });
});

test('the hash of a content is that of its values, wherever they stand', async () => {
  const hash = async (value: unknown) => (await contentHashOf(value)).toString('hex');
  const deep = { a: [{ b: { c: { d: { e: [1, 2] } } } }], text: 'x' };
  expect(await hash(structuredClone(deep))).toBe(await hash(deep));
  const others = [
    { ...deep, text: 'y' },
    { a: [{ b: { c: { d: { e: [2, 1] } } } }], text: 'x' },
    { a: [[{ b: { c: { d: { e: [1, 2] } } } }]], text: 'x' },
    'x',
    ['x'],
    {},
    [],
    null,
  ];
  expect(new Set(await Promise.all([deep, ...others].map(hash))).size).toBe(others.length + 1);
  const long = 'a 🚀 in "quotes"\n'.repeat(10_001);
  expect(await hash(long)).toBe(sha256(JSON.stringify(long)).toString('hex'));
});

describe('lists of a project with many rows read their page from the index that has its order', () => {
  test('findings', async () => {
    const { project } = await newProject();
    const { organisationId, projectId } = project;
    await service.database.system(async (tx) => {
      await sql`
        insert into findings (organisation_id, project_id, id, domain, source, tool, identity, rule_id, title, severity,
          tier, state, details, first_seen_at, last_seen_at, turns)
        select ${organisationId}, ${projectId}, ${projectId} || '-' || n, 'code', 'shop', 'any', int4send(n), 'any', 'any',
          (array['high', 'medium', 'low'])[1 + n % 3], (array['RED', 'YELLOW', 'GREEN'])[1 + n % 3],
          (array['open', 'fixed', 'open', 'suppressed'])[1 + n % 4], '{}', now(), now(),
          case when n % 2 = 0 then turn('{}', now()) else '{}' end
        from generate_series(1, 20000) n`.execute(tx);
      // A server does so by itself after many changes.
      await sql`analyze findings`.execute(tx);
    });
    const filter = { page: 3, page_size: 25, domain: 'code' } as const;
    for (const state of ['open', 'fixed', 'all'] as const) {
      for (const more of [{}, { severity: ['medium'], source: 'shop' } as const]) {
        const plan = await service.database.tenant(organisationId, (tx) =>
          findingsPage(tx, { organisationId, projectId }, { ...filter, state, ...more }).explain(),
        );
        expect(JSON.stringify(plan)).toMatch(/Index Scan using findings_(?:worst_first|of_severity|of_source)/);
        expect(JSON.stringify(plan)).not.toContain('Sort');
      }
      for (const more of [{}, { severity: ['medium'] } as const]) {
        const plan = await service.database.tenant(organisationId, (tx) =>
          findingsPage(tx, { organisationId }, { ...filter, state, ...more }).explain(),
        );
        expect(JSON.stringify(plan)).toMatch(/Index Scan using findings_of_all/);
        expect(JSON.stringify(plan)).not.toContain('Sort');
      }
    }
  });

  test('scan jobs', async () => {
    const { project } = await newProject();
    const { organisationId, projectId } = project;
    await service.database.system(async (tx) => {
      await sql`
        insert into scan_jobs (organisation_id, project_id, id, domain, hosted, status, source, queued_at)
        select ${organisationId}, ${projectId}, ${projectId} || '-' || n, 'running_app', n % 2 = 0, 'done', 'any',
          now() - n * interval '1 minute'
        from generate_series(1, 20000) n`.execute(tx);
    });
    for (const hosted of [true, false]) {
      const filter = { domain: 'running_app', hosted } as const;
      const plan = await service.database.tenant(organisationId, (tx) =>
        pageOfRows(
          newestJobs,
          { page: 2, page_size: 25 },
          scanJobs(tx, { organisationId, projectId }, filter),
        ).explain(),
      );
      expect(JSON.stringify(plan)).toContain('Index Scan using scan_jobs_newest');
      expect(JSON.stringify(plan)).not.toContain('Sort');
    }
  });
});

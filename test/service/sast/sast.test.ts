import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../../support/service.js';
import { newScannedProject } from '../findings/scanned-project.js';
import { type Result, result, run, sarif } from '../scanners/sarif/sarif-report.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** Three findings: high, medium and low. */
const three = [
  result(1, { ruleId: 'LOW', level: 'note' }),
  result(2, { ruleId: 'HIGH', level: 'error' }),
  result(3, { ruleId: 'MEDIUM', level: 'warning' }),
];

describe('an uploaded SARIF report', () => {
  test('becomes findings, worst first, and a job', async () => {
    const project = await newScannedProject(service);
    const invocations = [{ startTimeUtc: '2026-01-02T03:04:05Z' }];
    const uploaded = await project.uploadSarif(sarif(run(three, { invocations })));
    expect(uploaded).toMatchObject({
      duplicate: false,
      findings: { total: 3, new: 3, reopened: 0, fixed: 0, unchanged: 0, suppressed: 0 },
      tiers: { red: 1, yellow: 1, green: 1 },
    });
    const { items, total } = await project.codeFindings();
    expect(total).toBe(3);
    expect(items.map(({ rule_id }) => rule_id)).toEqual(['HIGH', 'MEDIUM', 'LOW']);
    expect(items[0]).toMatchObject({
      tool: 'Checker',
      message: 'this is wrong',
      severity: 'high',
      tier: 'RED',
      state: 'open',
      file: 'src/a.ts',
      line: 2,
      source_repo: 'https://example.com/shop',
      fixed_at: null,
    });
    expect(await project.codeJobs()).toMatchObject({
      items: [
        {
          id: uploaded.scan_job_id,
          status: 'done',
          source_repo: 'https://example.com/shop',
          tool: 'Checker',
          tiers: { red: 1, yellow: 1, green: 1 },
          started_at: new Date('2026-01-02T03:04:05Z'),
        },
      ],
    });
    expect(await project.audit('sast.upload_report')).toMatchObject([
      { target_id: project.projectId, after: { source_repo: 'https://example.com/shop', total: 3, new: 3 } },
    ]);
  });

  test('of the very content of the newest one changes nothing', async () => {
    const project = await newScannedProject(service);
    const first = await project.uploadSarif(sarif(run(three)));
    const before = await project.codeFindings();
    expect(await project.uploadSarif(sarif(run(three)))).toEqual({
      ...first,
      duplicate: true,
      findings: { ...first.findings, new: 0, unchanged: 3 },
    });
    expect((await project.codeFindings()).items).toEqual(before.items);
    expect(await project.codeJobs()).toMatchObject({ total: 1 });
    expect(await project.audit('sast.upload_report')).toHaveLength(1);
    await project.uploadSarif(sarif(run(three.slice(1))));
    expect(await project.uploadSarif(sarif(run(three)))).toMatchObject({ duplicate: false, findings: { reopened: 1 } });
  });

  test('fixes what it no longer has, reopens what is back, and follows what changed', async () => {
    const project = await newScannedProject(service);
    await project.uploadSarif(sarif(run(three)));
    const [first] = (await project.codeFindings('&severity=high')).items;
    const fewer = await project.uploadSarif(sarif(run(three.slice(1))));
    expect(fewer).toMatchObject({ findings: { fixed: 1, unchanged: 2 }, tiers: { green: 0 } });
    const fixed = await project.codeFindings('&state=fixed');
    expect(fixed.items).toMatchObject([{ rule_id: 'LOW', state: 'fixed' }]);
    expect(fixed.items[0]?.fixed_at).toBeInstanceOf(Date);
    expect((await project.codeFindings('&state=all')).items.map(({ rule_id }) => rule_id)).toEqual([
      'HIGH',
      'MEDIUM',
      'LOW',
    ]);

    const worse = result(99, { ruleId: 'LOW', level: 'error' });
    const back = await project.uploadSarif(sarif(run([worse, ...three.slice(1)])));
    expect(back).toMatchObject({ findings: { new: 0, reopened: 1, fixed: 0, unchanged: 2 }, tiers: { red: 2 } });
    const [reopened] = (await project.codeFindings('&severity=high')).items.filter(({ rule_id }) => rule_id === 'LOW');
    expect(reopened).toMatchObject({ id: fixed.items[0]?.id, line: 99, fixed_at: null, tier: 'RED' });
    const [last] = (await project.codeFindings()).items.filter(({ rule_id }) => rule_id === 'HIGH');
    expect(last?.first_seen_at).toEqual(first?.first_seen_at);
    expect(last?.last_seen_at.getTime()).toBeGreaterThan(first?.last_seen_at.getTime() ?? Infinity);
  });

  test('suppresses, opens again where the suppression goes, and fixes suppressed ones', async () => {
    const project = await newScannedProject(service);
    const accepted = { suppressions: [{ kind: 'inSource' }] };
    expect(await project.uploadSarif(sarif(run([result(1)])))).toMatchObject({ findings: { new: 1 } });
    const suppressed = await project.uploadSarif(sarif(run([result(1, accepted)])));
    expect(suppressed).toMatchObject({ findings: { unchanged: 0, suppressed: 1, fixed: 0 }, tiers: { yellow: 0 } });
    expect(await project.codeFindings()).toMatchObject({ total: 0 });
    expect(await project.codeFindings('&state=all')).toMatchObject({ items: [{ state: 'suppressed' }] });
    expect(await project.uploadSarif(sarif(run([result(1)])))).toMatchObject({ findings: { reopened: 1 } });
    await project.uploadSarif(sarif(run([result(1, accepted)])));
    expect(await project.uploadSarif(sarif(run([])))).toMatchObject({ findings: { total: 0, fixed: 1 } });
    expect(await project.codeFindings('&state=fixed')).toMatchObject({ total: 1 });
  });

  test('leaves other tools, categories, repositories and projects alone', async () => {
    const project = await newScannedProject(service);
    const other = { tool: { driver: { name: 'Other' } } };
    const python = { automationDetails: { id: '/language:python/' } };
    await project.uploadSarif(sarif(run([result(1)])));
    await project.uploadSarif(sarif(run([result(1)], other)));
    await project.uploadSarif(sarif(run([result(1)], python)));
    await project.uploadSarif(sarif(run([result(1)])), 'https://example.com/blog');
    expect(await project.codeFindings()).toMatchObject({ total: 4 });
    expect(await project.uploadSarif(sarif(run([])))).toMatchObject({ findings: { fixed: 1 }, tiers: { yellow: 2 } });
    expect(await project.codeFindings()).toMatchObject({ total: 3 });
    expect(await project.codeFindings('&source_repo=https://example.com/blog')).toMatchObject({ total: 1 });
  });

  test('of a tool that failed opens findings and fixes none', async () => {
    const project = await newScannedProject(service);
    await project.uploadSarif(sarif(run(three)));
    const failed = { invocations: [{ executionSuccessful: false }] };
    expect(await project.uploadSarif(sarif(run([result(9, { ruleId: 'NEW' })], failed)))).toMatchObject({
      findings: { total: 1, new: 1, fixed: 0 },
      tiers: { red: 1, yellow: 2, green: 1 },
    });
    const again = await project.uploadSarif(sarif(run([...three, result(9, { ruleId: 'NEW' })], failed)));
    expect(again).toMatchObject({ findings: { unchanged: 4, new: 0, fixed: 0 } });
  });

  test('is not a duplicate of an older one when a part of it was scanned since', async () => {
    const project = await newScannedProject(service);
    const both = sarif(run(three), { ...run([result(1)]), tool: { driver: { name: 'Other' } } });
    await project.uploadSarif(both);
    await project.uploadSarif(sarif(run([])));
    expect(await project.uploadSarif(both)).toMatchObject({
      duplicate: false,
      findings: { reopened: 3, unchanged: 1 },
    });
    await project.uploadSarif(sarif(run([], { tool: { driver: { name: 'Third' } } })));
    expect(await project.uploadSarif(both)).toMatchObject({ duplicate: true });
  });

  test('keeps no credentials of a repository, and one name for it', async () => {
    const project = await newScannedProject(service);
    await project.uploadSarif(sarif(run([result(1)])), 'https://bot:hunter2@example.com/shop.git/');
    expect(await project.uploadSarif(sarif(run([result(1)])), 'https://example.com/shop')).toMatchObject({
      duplicate: true,
    });
    const { items } = await project.codeFindings('&source_repo=https://me:other@EXAMPLE.com/shop/');
    expect(items).toMatchObject([{ source_repo: 'https://example.com/shop' }]);
    expect(JSON.stringify(await project.audit('sast.upload_report'))).not.toContain('hunter2');
  });
});

describe('a report that cannot be used', () => {
  const notSarif = 'is not a SARIF 2.1.0 report';
  const cases: readonly (readonly [what: string, report: unknown, field: string, message: RegExp])[] = [
    ['an older version', { version: '1.0.0', runs: [] }, 'report.version', /expected "2\.1\.0"/],
    ['no version', { runs: [run([])] }, 'report.version', /expected "2\.1\.0"/],
    ['no runs', { version: '2.1.0' }, 'report.runs', /is required \(array\)/],
    ['an empty list of runs', sarif(), 'report.runs', />=1/],
    ['no tool', { version: '2.1.0', runs: [{ results: [] }] }, 'report.runs.0.tool', /is required/],
    [
      'a run that never scanned',
      sarif(run([], { results: undefined })),
      'report.runs.0.results',
      /an empty list where/,
    ],
    [
      'a result that is none',
      sarif(run([{ text: 'x' }, { text: 'y' }])),
      'report.runs.0.results.0.message',
      /required/,
    ],
    ['CycloneDX', { bomFormat: 'CycloneDX', specVersion: '1.6' }, 'report.version', /2\.1\.0/],
  ];
  test.each(cases)('%s: 422 with the place, and nothing is kept', async (_, report, field, message) => {
    const project = await newScannedProject(service);
    const answer = await project.trySarif(report);
    expect(answer).toMatchObject({
      status: 422,
      body: {
        code: 'invalid_input',
        detail: expect.stringMatching(message),
        errors: [{ field, reason: 'not_sarif', message: notSarif }],
      },
    });
    expect(await project.codeJobs()).toMatchObject({ total: 0 });
    expect(await project.codeFindings('&state=all')).toMatchObject({ total: 0 });
  });

  test('because it has too many results', async () => {
    const project = await newScannedProject(service);
    const results = Array.from({ length: 100_001 }, () => 0);
    expect(await project.trySarif({ ...sarif({ ...run([]), results }) })).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining('at most 100000 results'), errors: [{ field: 'report.runs' }] },
    });
  });

  test('because it nests too deep', async () => {
    const project = await newScannedProject(service);
    const deep = `{"version":"2.1.0","runs":${'['.repeat(200)}${']'.repeat(200)}}`;
    expect(await project.trySarif(deep)).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'report', message: 'must not nest deeper than 128 levels' }] },
    });
  });

  test('because it is XML', async () => {
    const project = await newScannedProject(service);
    const answer = await project.call('POST', '/sast/reports?source_repo=shop', '<a/>', {
      'content-type': 'application/xml',
    });
    expect(answer).toMatchObject({ status: 415 });
  });

  test('because it names no repository', async () => {
    const project = await newScannedProject(service);
    expect(await project.call('POST', '/sast/reports', sarif(run([])))).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'source_repo' }] },
    });
  });
});

describe('findings in code', () => {
  test.each([
    ['severity=high', ['HIGH']],
    ['severity=critical', []],
    ['state=fixed', []],
    ['state=all&severity=low', ['LOW']],
    ['source_repo=https://example.com/shop', ['HIGH', 'MEDIUM', 'LOW']],
  ])('are filtered by %s', async (query, expected) => {
    const project = await newScannedProject(service);
    await project.uploadSarif(sarif(run(three)));
    const { items, total } = await project.codeFindings(`&${query}`);
    expect(items.map(({ rule_id }) => rule_id)).toEqual(expected);
    expect(total).toBe(expected.length);
  });

  test('come in pages that leave nothing out', async () => {
    const project = await newScannedProject(service);
    const many: Result[] = Array.from({ length: 7 }, (_, n) => result(n, { ruleId: `R${n}` }));
    await project.uploadSarif(sarif(run(many)));
    const pages = await Promise.all(
      [1, 2, 3].map((page) => project.call('GET', `/sast/findings?page_size=3&page=${page}`)),
    );
    const ids = pages.flatMap(({ body }) => JSON.stringify(body).match(/"rule_id":"R\d"/g) ?? []);
    expect(new Set(ids).size).toBe(7);
    expect(pages.map(({ body }) => Object(body).has_more)).toEqual([true, true, false]);
  });

  test('of another organisation’s project do not exist, and a read key uploads nothing', async () => {
    const [own, other] = [await newScannedProject(service), await newScannedProject(service)];
    for (const [method, rest, body] of [
      ['GET', '/sast/findings', undefined],
      ['GET', '/sast/scan-jobs', undefined],
      ['POST', '/sast/reports?source_repo=shop', sarif(run([]))],
    ] as const) {
      expect(await service.call(own.key, method, `${other.path}${rest}`, body)).toMatchObject({
        status: 404,
        body: { resource: 'project' },
      });
    }
    const path = `${own.path}/sast/reports?source_repo=shop`;
    expect(await service.call(own.organisation.readKey, 'POST', path, sarif(run([])))).toMatchObject({ status: 403 });
  });
});

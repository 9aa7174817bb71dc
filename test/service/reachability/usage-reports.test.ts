import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { usageReport } from '../../../src/procedures/usage-report.js';
import { ChangeSetLanding } from '../../../src/service/landing/landing.js';
import { replaceDependencies } from '../../../src/service/reachability/store-report.js';
import { usageDependencies } from '../../../src/service/reachability/usage-report-rows.js';
import { at } from '../../support/at.js';
import { startService, type TestService } from '../../support/service.js';
import { advisory, storeAdvisory, unique } from '../alerts/advisories.js';
import { type JudgedProject, projectWithVerdicts } from './project-with-verdicts.js';
import { dependency, report, type WireDependency, type WireReport } from './report.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** A project with one alert: the advisory affects 1.x of a package of its own. */
async function projectWithAlert() {
  const name = unique.packageName();
  await storeAdvisory(service.database, name, advisory(unique.advisoryId(), '0', '2.0.0', { severity: 'high' }));
  const project = await projectWithVerdicts(service);
  const purl = `pkg:npm/${name}@1.0.0`;
  await project.sync(purl);
  return { ...project, name, purl };
}

const reports = (project: JudgedProject) =>
  service.database.system((tx) =>
    tx
      .selectFrom('usage_reports')
      .select(['id', 'report'])
      .where('project_id', '=', project.projectId)
      .orderBy('ordinal')
      .execute(),
  );

describe('a usage report', () => {
  test('makes verdicts; before the first one alerts are unanalyzed', async () => {
    const project = await projectWithAlert();
    const alertsPath = `${project.path}/alerts`;
    const before = await service.call(project.organisation.readKey, 'GET', `${alertsPath}?band=unanalyzed`);
    expect(before.body).toMatchObject({ total: 1, items: [{ band: 'unanalyzed', verdict: null }] });
    expect(await project.verdicts()).toEqual([]);
    const answer = await project.upload(report([dependency(project.purl, 'imported')]));
    expect(answer).toMatchObject({
      status: 200,
      body: { duplicate: false, dependencies: 1, verdicts: { created: 1, updated: 0, unchanged: 0, pending: false } },
    });
    const [verdict] = await project.verdicts();
    expect(verdict?.evidence.usage).toMatchObject({
      class: 'imported',
      confidence: 'high',
      sites: [{ file: 'src/a.ts', line: 12, column: 8, symbols: ['merge'] }],
      site_count: 1,
      analyser: 'reach 0.1.0',
      reported_at: new Date('2026-01-02T03:04:05Z'),
    });
    expect(
      (await service.call(project.organisation.readKey, 'GET', `${alertsPath}?band=unanalyzed`)).body,
    ).toMatchObject({ total: 0 });
  });

  test('of the same content again changes nothing; the newest wins and older ones are kept', async () => {
    const project = await projectWithAlert();
    const first = report([dependency(project.purl, 'imported')]);
    await project.upload(first);
    const written = await project.written();
    expect((await project.upload(first)).body).toMatchObject({
      duplicate: true,
      verdicts: { created: 0, updated: 0, unchanged: 1 },
    });
    expect(await project.written()).toEqual(written);
    await project.upload(report([dependency(project.purl, 'tooling')]));
    expect((await project.verdicts())[0]?.evidence.usage.class).toBe('dev_only');
    expect((await project.upload(first)).body).toMatchObject({ duplicate: false });
    expect((await project.verdicts())[0]?.evidence.usage.class).toBe('imported');
    expect((await reports(project)).map((row) => at(row.report, 'dependencies.0.usage'))).toEqual([
      'imported',
      'tooling',
      'imported',
    ]);
  });

  test('that is interrupted is never seen, and leaves the one before', async () => {
    const project = await projectWithAlert();
    await project.upload(report([dependency(project.purl, 'imported')]));
    const key = { organisationId: project.organisation.id, projectId: project.projectId };
    const usages = () =>
      service.database.tenant(key.organisationId, (tx) =>
        tx.selectFrom('usage_dependencies').select('usage').execute(),
      );
    const landing = new ChangeSetLanding<void>(service.database, key);
    const other = report([dependency(project.purl, 'tooling')]);
    const dependencies = usageDependencies(usageReport.parse(other));
    await replaceDependencies((work) => landing.step(work), key, dependencies);
    expect(await usages()).toEqual([{ usage: 'imported' }]);
    expect(await landing.step((tx) => tx.selectFrom('usage_dependencies').select('usage').execute())).toEqual([
      { usage: 'tooling' },
    ]);
    await landing.close();
    expect(await usages()).toEqual([{ usage: 'imported' }]);
    const rows = await service.database.system((tx) =>
      tx.selectFrom('usage_dependencies').select('removed_in').where('project_id', '=', key.projectId).execute(),
    );
    expect(rows).toEqual([{ removed_in: 0 }]);
  });

  test('that does not know the package leaves its use unknown, not unused', async () => {
    const project = await projectWithAlert();
    await project.upload(report([]));
    expect((await project.verdicts())[0]?.evidence.usage).toMatchObject({
      class: 'not_analyzed',
      confidence: 'low',
      sites: [],
    });
  });

  test('says what its search missed, and the verdict with it', async () => {
    const project = await projectWithAlert();
    const gaps = ['src/a.ts:3 imports what only a run can say'];
    await project.upload(report([dependency(project.purl, 'unused', { gaps })]));
    const [verdict] = await project.verdicts();
    expect(verdict?.evidence.usage).toMatchObject({
      class: 'transitive_only',
      confidence: 'low',
      searched: false,
      gaps,
    });
    expect(verdict?.reasoning).toContain('but none could be excluded: src/a.ts:3 imports what only a run can say');
    // The report as a whole is complete, and the package without gaps was searched.
    await project.upload(report([dependency(project.purl, 'unused', { gaps: [] })], { complete: false }));
    expect((await project.verdicts())[0]?.evidence.usage).toMatchObject({
      class: 'not_used',
      searched: true,
      gaps: [],
    });
    await project.upload(report([dependency(project.purl, 'unused')], { complete: false }));
    expect((await project.verdicts())[0]?.evidence.usage).toMatchObject({ class: 'transitive_only', searched: false });
  });

  test('shows the chain of files that loads a package', async () => {
    const project = await projectWithAlert();
    const chain = [
      { purl: null, file: 'app.ts', line: 12 },
      { purl: 'pkg:npm/express@4.18.2', file: 'index.js', line: 9 },
      { purl: project.purl, file: 'index.js', line: null },
    ];
    await project.upload(report([dependency(project.purl, 'loaded', { chain })]));
    const [verdict] = await project.verdicts();
    expect(verdict?.evidence.usage).toMatchObject({ class: 'loaded', confidence: 'high', chain });
    expect(verdict?.reasoning).toContain(`: \`app.ts:12 -> express -> ${project.name}\`.`);
  });

  test('of two versions takes the one that is used more, and never less than unknown for one that it does not name', async () => {
    const project = await projectWithAlert();
    const other = `pkg:npm/${project.name}@0.9.0`;
    await project.sync(project.purl, other);
    const of = async (...dependencies: WireDependency[]) => {
      await project.upload(report(dependencies));
      return (await project.verdicts())[0]?.evidence.usage;
    };
    expect(await of(dependency(project.purl, 'unused'), dependency(other, 'tooling'))).toMatchObject({
      class: 'dev_only',
    });
    expect(await of(dependency(project.purl, 'unused'))).toMatchObject({ class: 'not_analyzed', confidence: 'low' });
    expect(await of(dependency(project.purl, 'imported'))).toMatchObject({ class: 'imported', confidence: 'high' });
  });

  test('that has only another version is used with less confidence', async () => {
    const project = await projectWithAlert();
    await project.upload(report([dependency(`pkg:npm/${project.name}@0.9.0`, 'imported')]));
    expect((await project.verdicts())[0]?.evidence.usage).toMatchObject({ class: 'imported', confidence: 'medium' });
  });

  test('names the vulnerable symbol that production code references', async () => {
    const project = await projectWithAlert();
    await service.database.system((tx) =>
      tx
        .updateTable('advisory_packages')
        .set({ symbols: ['merge', 'other'] })
        .where('package_name', '=', project.name)
        .execute(),
    );
    await project.upload(report([dependency(project.purl, 'reached')]));
    const [verdict] = await project.verdicts();
    expect(verdict?.evidence.usage).toMatchObject({
      class: 'called',
      vulnerable_symbols: ['merge'],
      symbols: 'referenced',
    });
    expect(verdict?.reasoning).toContain('the vulnerable `merge` is referenced in `src/a.ts:12`');
    // One step lower where a complete list of what is referenced does not name it; not where the list may lack some.
    const others = { symbols: ['get'] };
    await project.upload(report([dependency(project.purl, 'reached', others)]));
    const [excluded] = await project.verdicts();
    expect(excluded?.evidence.usage).toMatchObject({ class: 'imported', vulnerable_symbols: [], symbols: 'excluded' });
    expect(excluded?.reasoning).toContain('names none of the vulnerable functions');
    await project.upload(report([dependency(project.purl, 'reached', { ...others, symbols_complete: false })]));
    const [unknown] = await project.verdicts();
    expect(unknown?.evidence.usage).toMatchObject({ class: 'called', confidence: 'medium', symbols: 'not_excluded' });
    expect(unknown?.reasoning).toContain(
      'No reference to a vulnerable function was seen, but it could not be excluded.',
    );
  });

  test('is in the audit log', async () => {
    const project = await projectWithAlert();
    await project.upload(report([dependency(project.purl, 'imported')]));
    const { body } = await service.call(
      project.organisation.readKey,
      'GET',
      '/api/org/audit-log?action=usage_report.upload',
    );
    expect(body).toMatchObject({
      total: 1,
      items: [{ target: { kind: 'project', id: project.projectId }, after: { dependencies: 1 } }],
    });
  });
});

describe('a report that cannot be used', () => {
  let project: Awaited<ReturnType<typeof projectWithAlert>>;
  beforeAll(async () => {
    project = await projectWithAlert();
  });

  const site = dependency('pkg:npm/a@1.0.0', 'imported').sites[0];
  const withSite = (changed: object) =>
    report([
      dependency('pkg:npm/a@1.0.0', 'imported', {
        sites: [{ ...site, ...changed } as WireDependency['sites'][number]],
      }),
    ]);
  const twice = [dependency('pkg:npm/a@1.0.0', 'imported'), dependency('pkg:npm/a@1.0.0', 'unused')];

  test.each<[string, unknown, string]>([
    ['of another schema version', { ...report([]), schema: 'reach/2' }, 'report.schema'],
    ['with a negative line', withSite({ line: -1 }), 'report.dependencies.0.sites.0.line'],
    ['with line 0', withSite({ line: 0 }), 'report.dependencies.0.sites.0.line'],
    ['with a path that climbs', withSite({ file: 'src/../../etc/passwd' }), 'report.dependencies.0.sites.0.file'],
    ['with an absolute path', withSite({ file: '/etc/passwd' }), 'report.dependencies.0.sites.0.file'],
    [
      'with a control character in a path',
      withSite({ file: 'src/\u001b[31m.ts' }),
      'report.dependencies.0.sites.0.file',
    ],
    ['with a duplicate purl', report(twice), 'report.dependencies.1.purl'],
    ['with a purl without a version', report([dependency('pkg:npm/a', 'unused')]), 'report.dependencies.0.purl'],
    ['with an unknown field', { ...report([]), source: 'text' }, 'report.source'],
    [
      'without dependencies',
      { ...report([]), dependencies: undefined } satisfies Partial<Record<keyof WireReport, unknown>>,
      'report.dependencies',
    ],
    ['that is no object', [], 'report'],
  ])('%s gets a 422 that names the field, and leaves no trace', async (_, body, field) => {
    const before = [await project.written(), await reports(project)];
    const answer = await project.upload(body);
    expect(answer).toMatchObject({ status: 422, body: { code: 'invalid_input' } });
    expect(at(answer.body, 'errors.0.field')).toBe(field);
    expect([await project.written(), await reports(project)]).toEqual(before);
  });

  test('of 100,001 dependencies is rejected by its number', async () => {
    const answer = await project.upload({ ...report([]), dependencies: Array.from({ length: 100_001 }, () => 0) });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ field: 'report.dependencies' }] } });
  });

  test('of 9 MB is rejected before it is read whole', async () => {
    const answer = await project.upload(`{"schema": "${'x'.repeat(9 * 1024 * 1024)}"}`);
    expect(answer).toMatchObject({
      status: 422,
      body: { code: 'invalid_input', errors: [{ field: 'report', message: 'must be at most 8 MB of JSON' }] },
    });
  });

  test('for another organisation’s project finds no project', async () => {
    const other = await projectWithVerdicts(service);
    const answer = await service.call(
      other.organisation.writeKey,
      'POST',
      `${project.path}/reachability/usage-reports`,
      report([]),
    );
    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found', resource: 'project' } });
  });
});

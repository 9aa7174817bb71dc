import { afterAll, beforeAll, expect, test } from 'vitest';
import { alerts } from '../../../src/procedures/alerts.js';
import { startService, type TestService } from '../../support/service.js';
import { advisory, storeAdvisory, unique } from '../alerts/advisories.js';
import { projectWithVerdicts } from '../reachability/project-with-verdicts.js';
import { dependency, report } from '../reachability/report.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

type Project = Awaited<ReturnType<typeof projectWithVerdicts>>;

/** The alerts of a project with all that is known of each. */
async function detailsOf({ organisation, path }: Project) {
  const { body } = await service.call(organisation.readKey, 'GET', `${path}/alerts`);
  const { items } = alerts.list.output.parse(body);
  const answers = items.map(({ id }) => service.call(organisation.readKey, 'GET', `${path}/alerts/${id}`));
  return (await Promise.all(answers)).map((answer) => alerts.get.output.parse(answer.body));
}

const syncTo = ({ organisation, path }: Project, packages: unknown[]) =>
  service.call(organisation.writeKey, 'POST', `${path}/tech-stack/sync`, { source: 'lock', packages });

test('an alert says how to mend it, what brings the package in, and where it is imported', async () => {
  const project = await projectWithVerdicts(service);
  const [top, middle, deep] = [unique.packageName(), unique.packageName(), unique.packageName()];
  const [first, second] = [unique.advisoryId(), unique.advisoryId()];
  await storeAdvisory(service.database, deep, advisory(first, '0', '2.0.0'));
  await storeAdvisory(service.database, deep, advisory(second, '0', '2.4.1'));
  const references = [
    'https://example.com/notes',
    'https://github.com/a/b/commit/1',
    'https://osv.dev/vulnerability/x',
  ];
  await service.database.system((tx) =>
    tx.updateTable('advisories').set({ references }).where('id', '=', first).execute(),
  );
  const synced = await syncTo(project, [
    { ecosystem: 'npm', name: top, version: '1.0.0', direct: true, dependencies: [1] },
    { ecosystem: 'npm', name: middle, version: '1.0.0', direct: false, dependencies: [2] },
    { ecosystem: 'npm', name: deep, version: '1.0.0', direct: false, dependencies: [] },
  ]);
  expect(synced.status, JSON.stringify(synced.body)).toBe(200);
  const purl = `pkg:npm/${deep}@1.0.0`;
  await project.upload(report([dependency(purl, 'reached')]));

  const found = await detailsOf(project);
  expect(found).toHaveLength(2);
  expect(found.find(({ advisory_ids }) => advisory_ids.includes(first))).toMatchObject({
    fix: {
      package: deep,
      from: ['1.0.0'],
      to: '2.4.1',
      direct: `pkg:npm/${top}@1.0.0`,
      is_direct: false,
      closes_alerts: 2,
    },
    no_fix: null,
    dependency_paths: [[`pkg:npm/${top}@1.0.0`, `pkg:npm/${middle}@1.0.0`, purl]],
    import_sites: { total: 1, sites: [{ file: 'src/a.ts', line: 12 }] },
    override: null,
    references: [
      { kind: 'advisory', url: 'https://osv.dev/vulnerability/x' },
      { kind: 'fix', url: 'https://github.com/a/b/commit/1' },
      { kind: 'web', url: 'https://example.com/notes' },
    ],
  });

  const closed = await syncTo(project, [{ ecosystem: 'npm', name: deep, version: '2.4.1', direct: true }]);
  expect(closed.body).toMatchObject({ alerts: { resolved: 2 } });
  expect(await detailsOf(project)).toMatchObject([
    { fix: null, no_fix: 'resolved' },
    { fix: null, no_fix: 'resolved' },
  ]);
});

test('what is not known is null, and not an empty list', async () => {
  const project = await projectWithVerdicts(service);
  const name = unique.packageName();
  const endless = { ranges: [{ type: 'ECOSYSTEM' as const, events: [{ introduced: '0' }] }], versions: [] };
  await storeAdvisory(service.database, name, advisory(unique.advisoryId(), '0', '1', { affected: endless }));
  await syncTo(project, [{ ecosystem: 'npm', name, version: '1.0.0' }]);
  expect(await detailsOf(project)).toMatchObject([
    { fix: null, no_fix: 'no_safe_version', dependency_paths: null, import_sites: null, references: [] },
  ]);
});

test('the override of an alert’s verdict is part of it', async () => {
  const project = await projectWithVerdicts(service);
  const name = unique.packageName();
  await storeAdvisory(service.database, name, advisory(unique.advisoryId(), '0', '2.0.0'));
  await syncTo(project, [{ ecosystem: 'npm', name, version: '1.0.0', direct: true }]);
  await project.upload(report([dependency(`pkg:npm/${name}@1.0.0`, 'reached')]));
  const [before] = await detailsOf(project);
  expect(before?.fix).toMatchObject({ direct: null, is_direct: true, closes_alerts: 1 });
  const { organisation, path } = project;
  await service.call(
    organisation.admin.session,
    'PUT',
    `${path}/reachability/verdicts/${before?.verdict?.id}/override`,
    {
      verdict: 'NotExploitable',
      reason: 'behind a switch that is off',
    },
  );
  const [after] = await detailsOf(project);
  expect(after?.override).toMatchObject({ verdict: 'NotExploitable', reason: 'behind a switch that is off' });
});

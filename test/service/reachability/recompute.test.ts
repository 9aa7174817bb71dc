import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { continueAssessments } from '../../../src/service/assessment/continue-assessments.js';
import { reassessProjects } from '../../../src/service/assessment/reassess-projects.js';
import type { Plan } from '../../../src/service/auth/caller.js';
import { at } from '../../support/at.js';
import { startService, type TestService } from '../../support/service.js';
import { advisory, storeAdvisory, unique } from '../alerts/advisories.js';
import { type JudgedProject, projectWithVerdicts } from './project-with-verdicts.js';
import { dependency, report } from './report.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** Two packages with an advisory each, both imported. */
async function twoVerdicts(plan?: Plan) {
  const names = [unique.packageName(), unique.packageName()] as const;
  const ids = [unique.advisoryId(), unique.advisoryId()] as const;
  const cve = unique.cve();
  await storeAdvisory(service.database, names[0], advisory(ids[0], '0', '2.0.0', { severity: 'high', cves: [cve] }));
  await storeAdvisory(service.database, names[1], advisory(ids[1], '0', '2.0.0', { severity: 'high' }));
  const project = await projectWithVerdicts(service, plan);
  const purls = names.map((name) => `pkg:npm/${name}@1.0.0`);
  await project.sync(...purls);
  await project.upload(report(purls.map((purl) => dependency(purl, 'imported'))));
  return { ...project, names, ids, cve, purls };
}

async function listInKev(cve: string): Promise<void> {
  await service.database.system(async (tx) => {
    await tx
      .insertInto('kev')
      .values({ cve, date_added: '2026-01-02', due_date: '2026-01-23', ransomware: true })
      .execute();
  });
}

describe('verdicts follow', () => {
  test('a changed exposure', async () => {
    const project = await twoVerdicts();
    const before = await project.verdicts();
    await project.expose('isolated');
    const after = await project.verdicts();
    expect(after.map(({ machine }) => machine.exposure_factor)).toEqual([0.5, 0.5]);
    expect(after[0]?.effective_priority).toBeLessThan(before[0]?.effective_priority ?? 0);
  });

  test('a package that comes later, which has its verdict at once', async () => {
    const project = await twoVerdicts();
    const name = unique.packageName();
    await storeAdvisory(service.database, name, advisory(unique.advisoryId(), '0', '2.0.0'));
    await project.sync(...project.purls, `pkg:npm/${name}@1.0.0`);
    const late = (await project.verdicts()).find((verdict) => verdict.package.name === name);
    expect(late?.evidence.usage).toMatchObject({ class: 'not_analyzed', confidence: 'low' });
  });

  test('new EPSS and KEV, and touch no other package’s verdict', async () => {
    const project = await twoVerdicts();
    const before = await project.written();
    await service.database.system(async (tx) => {
      await tx
        .insertInto('epss')
        .values({ cve: project.cve, probability: 0.5, percentile: 0.97, scored_on: '2026-01-01', model: 'v5' })
        .execute();
      await tx
        .insertInto('kev')
        .values({ cve: project.cve, date_added: '2026-01-02', due_date: null, ransomware: false })
        .execute();
    });
    await reassessProjects(service.database, new Date(), [{ ecosystem: 'npm', package_name: project.names[0] }]);
    const [first, second] = await project.verdicts();
    expect(first).toMatchObject({
      band: 'known_exploited',
      evidence: { exploit: { epss: { probability: 0.5, model: 'v5' }, kev: { date_added: '2026-01-02' } } },
    });
    expect(second?.band).toBe('needs_review');
    const after = await project.written();
    const changed = after.verdicts.filter(
      ({ id, revision }) => before.verdicts.find((row) => row.id === id)?.revision !== revision,
    );
    expect(changed.map(({ id }) => id)).toEqual([first?.id]);
  });
});

describe('what is known exploited', () => {
  async function oneInKev() {
    const project = await twoVerdicts('Enterprise');
    await listInKev(project.cve);
    await reassessProjects(service.database, new Date(), [{ ecosystem: 'npm', package_name: project.names[0] }]);
    const [first] = await project.verdicts();
    const get = (path: string) => service.call(project.organisation.readKey, 'GET', `${project.path}${path}`);
    const exploitedOf = async () =>
      at(
        (await service.call(project.organisation.readKey, 'GET', '/api/posture/projects')).body,
        'items.0.known_exploited',
      );
    return { ...project, id: first?.id ?? '', get, exploitedOf };
  }
  const kev = { date_added: '2026-01-02', due_date: '2026-01-23', ransomware: true };

  test('stays so under the override Exploitable: in its band, its filter and its count', async () => {
    const { id, override, verdicts, get, clear, exploitedOf } = await oneInKev();
    const before = (await verdicts())[0]?.effective_priority ?? 0;
    const ruled = await override(id, { verdict: 'Exploitable', reason: 'Seen in the logs.' });
    expect(ruled.body).toMatchObject({ band: 'known_exploited', effective_priority: Math.max(before, 60) });
    const filtered = (await get('/alerts?band=known_exploited')).body;
    expect(filtered).toMatchObject({ total: 1, items: [{ band: 'known_exploited', kev }] });
    expect((await get('/alerts?band=likely_exploitable')).body).toMatchObject({ total: 0 });
    expect((await verdicts('&band=known_exploited')).map((each) => each.id)).toEqual([id]);
    expect(await exploitedOf()).toBe(1);
    expect((await clear(id)).body).toMatchObject({ band: 'known_exploited', effective_priority: before });
  });

  test('keeps its mark under the override NotExploitable: in lists, evidence, counts and the SBOM', async () => {
    const { id, override, verdicts, get, exploitedOf } = await oneInKev();
    await override(id, { verdict: 'NotExploitable', reason: 'Sandboxed.' });
    expect((await get('/alerts?kev=true')).body).toMatchObject({
      total: 1,
      items: [{ band: 'likely_not_exploitable', kev }],
    });
    expect((await verdicts()).find((each) => each.id === id)).toMatchObject({
      band: 'likely_not_exploitable',
      machine: { band: 'known_exploited' },
      evidence: { exploit: { kev: { date_added: '2026-01-02' } } },
    });
    expect(await exploitedOf()).toBe(1);
    expect(JSON.stringify((await get('/sbom/document?vex=true')).body)).toContain('"postern:kev_date_added"');
  });
});

test('a recomputation that changes nothing writes nothing, counted at the database', async () => {
  const project = await twoVerdicts();
  const counters = () =>
    service.database.system((tx) =>
      tx
        .selectFrom('verdicts')
        .innerJoin('alerts', 'alerts.id', 'verdicts.alert_id')
        .select(({ ref }) => [
          ref('verdicts.id').as('id'),
          ref('verdicts.revision').as('revision'),
          ref('verdicts.computed_at').as('at'),
        ])
        .where('verdicts.project_id', '=', project.projectId)
        .orderBy('verdicts.id')
        .execute(),
    );
  const before = [await counters(), await project.written()];
  await reassessProjects(
    service.database,
    new Date(),
    project.names.map((package_name) => ({ ecosystem: 'npm', package_name })),
  );
  await project.sync(...project.purls);
  await project.upload(report(project.purls.map((purl) => dependency(purl, 'imported'))));
  expect([await counters(), await project.written()]).toEqual(before);
});

test('two reports at once: both are kept, and the verdicts are those of the newest', async () => {
  const project = await twoVerdicts();
  const uploads = (['reached', 'tooling'] as const).map((usage) =>
    project.upload(report(project.purls.map((purl) => dependency(purl, usage)))),
  );
  expect((await Promise.all(uploads)).map(({ status }) => status)).toEqual([200, 200]);
  const newest = await service.database.system((tx) =>
    tx
      .selectFrom('usage_reports')
      .select('report')
      .where('project_id', '=', project.projectId)
      .orderBy('ordinal', 'desc')
      .executeTakeFirstOrThrow(),
  );
  const expected = JSON.stringify(newest.report).includes('"reached":1') ? 'called' : 'dev_only';
  expect((await project.verdicts()).map(({ evidence }) => evidence.usage.class)).toEqual([expected, expected]);
});

/** Alerts on the package `any`, which no feed knows. */
function addAlerts(project: Pick<JudgedProject, 'organisation' | 'projectId'>, count: number) {
  return service.database.system((tx) =>
    sql`
      insert into alerts (organisation_id, project_id, id, vulnerability_id, ecosystem, package_name, advisory_ids, cves,
        title, versions, malicious, tier, turns)
      select ${project.organisation.id}, ${project.projectId}, ${project.projectId} || n, n::text, 'npm', 'any', '{any}',
        '{}', 'any', '{1.0.0}', false, 'GREEN', turn('{}', now())
      from generate_series(1, ${count}::int) n`.execute(tx),
  );
}

test('a project with more alerts than one transaction evaluates takes several, and continues after a stop', async () => {
  const project = await twoVerdicts();
  await addAlerts(project, 1_500);
  const progress = async () =>
    (await service.call(project.organisation.readKey, 'GET', `${project.path}/reachability/progress`)).body;
  expect(await progress()).toEqual({ pending: false, alerts: 1502, judged: 2 });
  // A change of the exposure begins what other transactions go on with.
  await project.upload(report([dependency('pkg:npm/any@1.0.0', 'imported')]));
  await continueAssessments(service.database);
  await project.expose('internet');
  expect(await progress()).toEqual({ pending: true, alerts: 1502, judged: 100 });
  // A report before the recomputation has ended: it begins anew, with the newest report.
  await project.upload(report([dependency('pkg:npm/any@1.0.0', 'tooling')]));
  await Promise.all([continueAssessments(service.database), continueAssessments(service.database)]);
  expect(await progress()).toEqual({ pending: false, alerts: 1502, judged: 1502 });
  const used = await service.database.system((tx) =>
    sql<{ usage: string }>`
      select distinct evidence #>> '{usage,usage}' as usage from verdicts
      join alerts on alerts.id = verdicts.alert_id
      where alerts.project_id = ${project.projectId} and alerts.package_name = 'any'`.execute(tx),
  );
  expect(used.rows).toEqual([{ usage: 'dev_only' }]);
});

test('an upload answers with all verdicts, also where they are more than one transaction evaluates', async () => {
  const project = await twoVerdicts();
  await addAlerts(project, 300);
  const reported = report([dependency('pkg:npm/any@1.0.0', 'imported')]);
  expect(at((await project.upload(reported)).body, 'verdicts')).toEqual({
    ...{ created: 300, updated: 2, unchanged: 0, pending: false },
  });
  expect(at((await project.upload(reported)).body, 'verdicts')).toEqual({
    ...{ created: 0, updated: 0, unchanged: 302, pending: false },
  });
});

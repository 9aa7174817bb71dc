import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { domains } from '../../../src/procedures/risk.js';
import { daysOf, windowStart } from '../../../src/service/posture/scope.js';
import { newOf, risksOf } from '../../../src/service/posture/worst.js';
import { at } from '../../support/at.js';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';
import { advisory, storeAdvisory, unique } from '../alerts/advisories.js';
import { newOrganisationWithProject, newProject } from '../projects/new-project.js';
import { projectWithVerdicts } from '../reachability/project-with-verdicts.js';
import { dependency, report } from '../reachability/report.js';
import { result, run, sarif } from '../scanners/sarif/sarif-report.js';
import { type ClockedOrganisation, clockedOrganisation } from './clocked-organisation.js';
import { reportedFinding } from './reported-finding.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const nothing = { new: 0, reopened: 0, resolved: 0, open: 0 };
const nothingWeekly = { ...nothing, before: 0 };
const unknownProject = 'prj_00000000000000000000';

const get = ({ readKey }: TestOrganisation, path: string) => service.call(readKey, 'GET', `/api/posture/${path}`);

describe('an organisation without findings', () => {
  test('has as many answers as one with a million, all zero', async () => {
    const organisation = await service.newOrganisation({ plan: 'Business' });
    const unknown = expect.objectContaining({ status: 'unknown', gaps: ['there is no project'] });
    for (const domain of domains) {
      expect((await get(organisation, `${domain}/diff`)).body).toMatchObject({ domain, ...nothing, worst_new: [] });
      expect((await get(organisation, `${domain}/risks`)).body).toEqual({
        domain,
        risks: [],
        de_escalated: 0,
        triaged: 0,
        coverage: unknown,
      });
      expect((await get(organisation, `${domain}/summary`)).body).toEqual({
        domain,
        open: { critical: 0, high: 0, medium: 0, low: 0, info: 0, unknown: 0 },
        ...{
          acknowledged: 0,
          suppressed: 0,
          tiers: { red: nothingWeekly, yellow: nothingWeekly, green: nothingWeekly },
        },
        worst: null,
        coverage: unknown,
      });
    }
    const { body } = await get(organisation, 'verdicts');
    expect(Object.values(Object(body))).toEqual([0, 0, 0, 0, 0]);
  });
});

describe('what cannot be answered', () => {
  test.each(['dependencies/diff', 'code/risks', 'containers/summary', 'verdicts'])(
    '%s of a project that is not there, or is another organisation’s, is a 404',
    async (path) => {
      const organisation = await service.newOrganisation({ plan: 'Business' });
      const other = await newOrganisationWithProject(service);
      for (const id of [unknownProject, other.projectId]) {
        const answer = await get(organisation, `${path}?project_id=${id}`);
        expect(answer.status).toBe(404);
        expect(answer.body).toMatchObject({ resource: 'project' });
      }
    },
  );

  test('an unknown domain or a window out of bounds names the field and what it takes', async () => {
    const organisation = await service.newOrganisation();
    for (const [path, field, words] of [
      ['network/diff', 'domain', 'running_app'],
      ['code/diff?window_days=0', 'window_days', '1'],
      ['code/diff?window_days=91', 'window_days', '90'],
      ['code/diff?days=3', 'days', 'window_days'],
    ] as const) {
      const { status, body } = await get(organisation, path);
      expect(status).toBe(422);
      expect(JSON.stringify(body)).toContain(`"field":"${field}"`);
      expect(JSON.stringify(body)).toContain(words);
    }
  });

  test('verdicts need the Business plan; the domains do not', async () => {
    const organisation = await service.newOrganisation({ plan: 'Free' });
    const { status, body } = await get(organisation, 'verdicts');
    expect([status, body]).toMatchObject([403, { code: 'plan_required' }]);
    expect((await get(organisation, 'dependencies/summary')).status).toBe(200);
  });
});

describe('a window', () => {
  const day = (nth: number, hour = 12) => new Date(Date.UTC(2026, 0, nth, hour));

  async function scanned(days: ReadonlyArray<readonly [Date, number]>): Promise<ClockedOrganisation> {
    const organisation = await clockedOrganisation(service);
    const [project = ''] = organisation.projectIds;
    for (const [at, findings] of days) {
      await organisation.scan(at, project, 'running_app', findings === 0 ? [] : [reportedFinding('any')]);
    }
    return organisation;
  }
  const changes = async (organisation: ClockedOrganisation, now: Date, days: number) => {
    const diff = await organisation.diff(now, 'running_app', undefined, days);
    return [diff.new, diff.reopened, diff.resolved, diff.open, diff.worst_new.length];
  };

  test('begins with a midnight (UTC): what was there before it is not new', async () => {
    const organisation = await scanned([[day(3, 23), 1]]);
    expect((await organisation.diff(day(4, 1), 'running_app', undefined, 1)).since).toEqual(day(3, 0));
    expect(await changes(organisation, day(4, 1), 1)).toEqual([1, 0, 0, 1, 1]);
    expect(await changes(organisation, day(5, 1), 1)).toEqual([0, 0, 0, 1, 0]);
  });

  test('tells what came back from what is new', async () => {
    const organisation = await scanned([
      [day(1), 1],
      [day(5), 0],
      [day(7), 1],
    ]);
    expect(await changes(organisation, day(8), 1)).toEqual([0, 1, 0, 1, 1]);
    expect(await changes(organisation, day(8), 2)).toEqual([0, 1, 0, 1, 1]);
    expect(await changes(organisation, day(8), 3)).toEqual([0, 1, 1, 1, 1]);
    expect(await changes(organisation, day(8), 7)).toEqual([1, 0, 1, 1, 1]);
  });

  test('counts as resolved what came within it too, and each finding once', async () => {
    const organisation = await scanned([
      [day(1), 1],
      [day(5), 0],
      [day(7), 1],
      [day(9), 0],
    ]);
    expect(await changes(organisation, day(9), 1)).toEqual([0, 0, 1, 0, 0]);
    expect(await changes(organisation, day(9), 3)).toEqual([0, 1, 1, 0, 0]);
    expect(await changes(organisation, day(9), 6)).toEqual([0, 1, 1, 0, 0]);
    expect(await changes(organisation, day(9), 20)).toEqual([1, 0, 1, 0, 0]);
    // The longer window never shows less.
    for (const days of [14, 30, 60, 90]) expect((await changes(organisation, day(9), days))[2]).toBe(1);
  });

  test('counts what came and went on one day as new and as resolved', async () => {
    const organisation = await scanned([
      [day(5, 1), 1],
      [day(5, 2), 0],
    ]);
    expect(await changes(organisation, day(5, 3), 1)).toEqual([1, 0, 1, 0, 0]);
    expect(await changes(organisation, day(7, 3), 1)).toEqual([0, 0, 0, 0, 0]);
  });

  test('is not misled by a clock that went back', async () => {
    const organisation = await scanned([
      [day(5, 1), 1],
      [day(5, 2), 0],
      [day(5, 3), 1],
      [day(4, 4), 0],
    ]);
    expect(await changes(organisation, day(6), 90)).toEqual([1, 0, 1, 0, 0]);
    const [project = ''] = organisation.projectIds;
    await organisation.scan(day(6), project, 'running_app', [reportedFinding('any')]);
    expect(await changes(organisation, day(6), 1)).toEqual([1, 0, 1, 1, 1]);
    expect(await changes(organisation, day(7), 1)).toEqual([0, 1, 0, 1, 1]);
  });

  test('keeps few days of a finding that comes and goes with every scan', async () => {
    const flapping = Array.from({ length: 200 }, (_, n) => [new Date(day(1).getTime() + n * 18e6), n % 2] as const);
    const organisation = await scanned([[day(1), 1], ...flapping]);
    const rows = await service.database.system((tx) =>
      tx
        .selectFrom('findings')
        .select('turns')
        .where('organisation_id', '=', organisation.organisation.id)
        .where('removed_in', '=', 0)
        .execute(),
    );
    expect(rows[0]?.turns.length).toBeLessThanOrEqual(64);
    expect(await changes(organisation, new Date(day(1).getTime() + 200 * 18e6), 90)).toEqual([1, 0, 1, 1, 1]);
  });
});

test('a RED or YELLOW finding in production code is reachable, one in a test is not', async () => {
  const { organisation, key, projectId } = await newOrganisationWithProject(service);
  const at = (uri: string, ruleId: string) =>
    result(1, {
      ruleId,
      level: 'error',
      locations: [{ physicalLocation: { artifactLocation: { uri }, region: { startLine: 3 } } }],
    });
  const scanned = sarif(run([at('src/login.ts', 'A'), at('test/login.test.ts', 'B')]));
  const uploaded = await service.call(
    key,
    'POST',
    `/api/projects/${projectId}/sast/reports?source_repo=https://example.com/a`,
    scanned,
  );
  expect(uploaded.status).toBe(200);
  const { body } = await get(organisation, 'code/diff');
  expect(body).toMatchObject({
    worst_new: [
      { risk: 'reachable', location: 'src/login.ts:3' },
      { risk: expect.stringMatching(/critical|other/), location: 'test/login.test.ts:3' },
    ],
  });
});

test('an alert that a member rules exploitable is as reachable as one that the machine finds called', async () => {
  const project = await projectWithVerdicts(service);
  const name = unique.packageName();
  const facts = { cves: [unique.cve()], severity: 'moderate', cvss_score: 5, cvss_version: '3.1' } as const;
  const cvss_vector = 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:L/A:N';
  const known = advisory(unique.advisoryId(), '0', '2.0.0', { ...facts, cvss_vector });
  await storeAdvisory(service.database, name, known);
  await project.sync(`pkg:npm/${name}@1.0.0`);
  await project.upload(report([dependency(`pkg:npm/${name}@1.0.0`, 'transitive')]));
  const [verdict] = await project.verdicts();
  const risks = async () => at((await get(project.organisation, 'dependencies/risks')).body, 'risks');
  expect(await risks()).toEqual([]);
  await project.override(verdict?.id ?? '', { verdict: 'Exploitable', reason: 'called through a plugin' });
  expect(await risks()).toMatchObject([{ risk: 'reachable', usage: 'transitive_only', effective_priority: 60 }]);
  await project.clear(verdict?.id ?? '');
  expect(await risks()).toEqual([]);
});

test('the counts of a deleted project go with it, and those of others stay', async () => {
  const organisation = await clockedOrganisation(service);
  const [gone = '', stays = ''] = organisation.projectIds;
  const now = new Date();
  for (const project of [gone, stays]) await organisation.scan(now, project, 'running_app', [reportedFinding('any')]);
  expect(await organisation.diff(now, 'running_app', undefined, 7)).toMatchObject({ new: 2, open: 2 });
  const { writeKey } = organisation.organisation;
  expect((await service.call(writeKey, 'DELETE', `/api/projects/${gone}`)).status).toBe(200);
  expect(await organisation.diff(now, 'running_app', undefined, 7)).toMatchObject({ new: 1, open: 1 });
});

test('counts are written where they belong, whatever temporary table has their name', async () => {
  const organisation = await clockedOrganisation(service);
  const [project = ''] = organisation.projectIds;
  const now = new Date();
  const shadow = sql`create temporary table posture_counts (like posture_counts including all) on commit drop`;
  await organisation.at(now, async ({ tx }) => {
    await shadow.execute(tx);
    await sql`insert into findings (organisation_id, project_id, id, domain, source, tool, identity, rule_id, title, severity,
        tier, state, details, first_seen_at, last_seen_at, turns)
      values (${organisation.organisation.id}, ${project}, ${project}, 'code', 'any', 'any', '', 'any', 'any', 'low', 'GREEN',
        'open', '{}', ${now}, ${now}, turn('{}', ${now}))`.execute(tx);
  });
  expect((await organisation.summary(now, 'code', project)).open).toMatchObject({ low: 1 });
});

test('changes at once are all counted', async () => {
  const organisation = await clockedOrganisation(service);
  const finding = (nth: number) => reportedFinding(String(nth));
  const now = new Date();
  await Promise.all(
    [...organisation.projectIds, ...organisation.projectIds].flatMap((project) => [
      organisation.scan(now, project, 'running_app', [finding(1), finding(2)]),
      organisation.scan(now, project, 'code', [finding(3)]),
    ]),
  );
  expect(await organisation.diff(now, 'running_app', undefined, 7)).toMatchObject({ new: 4, open: 4 });
  expect(await organisation.diff(now, 'code', undefined, 7)).toMatchObject({ new: 2, open: 2 });
});

test('among 10,000 findings the worst are read from the indexes that have their order', async () => {
  const organisation = await service.newOrganisation();
  const [projectId, other] = [await newProject(service, organisation), await newProject(service, organisation)];
  const organisationId = organisation.id;
  await service.database.system(async (tx) => {
    await sql`
      insert into findings (organisation_id, project_id, id, domain, source, tool, identity, rule_id, title, severity,
        tier, state, details, first_seen_at, last_seen_at, turns)
      select ${organisationId}, case n % 50 when 0 then ${projectId} else ${other} end, ${projectId} || '-' || n, 'code', 'shop', 'any', int4send(n), 'any', 'any',
        (array['high', 'medium', 'low'])[1 + n % 3], (array['RED', 'YELLOW', 'GREEN'])[1 + n % 3], 'open', '{}', now(), now(),
        turn('{}', now() - n % 300 * interval '1 day')
      from generate_series(1, 10000) n`.execute(tx);
    await sql`analyze findings`.execute(tx);
  });
  const days = daysOf(windowStart(new Date(), 7), new Date());
  for (const [scope, suffix] of [
    [{ organisationId, projectId: undefined }, ''],
    [{ organisationId, projectId }, '_of_project'],
  ] as const) {
    for (const [query, index] of [
      [risksOf(scope, 'code', 10), `findings_by_risk${suffix}`],
      [newOf(scope, 'code', days, 5), `findings_new${suffix}`],
    ] as const) {
      const { rows } = await service.database.tenant(organisationId, (tx) => sql`explain ${query}`.execute(tx));
      const plan = JSON.stringify(rows);
      expect(plan).toMatch(new RegExp(`Index (?:Only )?Scan (?:using|on) ${index} `));
      expect(plan).not.toContain('Seq Scan');
    }
  }
});

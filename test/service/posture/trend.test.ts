import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { domains } from '../../../src/procedures/risk.js';
import { seriesOf } from '../../../src/service/posture/trend.js';
import { startService, type TestService } from '../../support/service.js';
import { newOrganisationWithProject, newProject } from '../projects/new-project.js';
import { clockedOrganisation } from './clocked-organisation.js';
import { reportedFinding } from './reported-finding.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const day = (nth: number, hour = 12) => new Date(Date.UTC(2026, 0, nth, hour));
const never = { known_since: null, days: [] };

describe('a trend', () => {
  test('has what was open at the end of each day, and what was new and resolved on it', async () => {
    const organisation = await clockedOrganisation(service);
    const [project = ''] = organisation.projectIds;
    const red = reportedFinding('red', { tier: 'RED' });
    const green = reportedFinding('green', { tier: 'GREEN' });
    await organisation.scan(day(1), project, 'code', [red]);
    await organisation.scan(day(4), project, 'code', [red, green]);
    await organisation.scan(day(6), project, 'code', [green]);
    const { since, window_days, domains: of } = await organisation.trend(day(7), project, 4);
    expect([since, window_days]).toEqual([day(3, 0), 4]);
    const none = { red: 0, yellow: 0, green: 0 };
    expect(of.code).toEqual({
      known_since: day(1),
      days: [
        { day: '2026-01-03', open: { ...none, red: 1 }, new: 0, resolved: 0 },
        { day: '2026-01-04', open: { ...none, red: 1, green: 1 }, new: 1, resolved: 0 },
        { day: '2026-01-05', open: { ...none, red: 1, green: 1 }, new: 0, resolved: 0 },
        { day: '2026-01-06', open: { ...none, green: 1 }, new: 0, resolved: 1 },
        { day: '2026-01-07', open: { ...none, green: 1 }, new: 0, resolved: 0 },
      ],
    });
    expect([of.dependencies, of.running_app, of.containers]).toEqual([never, never, never]);
  });

  test('begins when something was first looked at, also where nothing was found', async () => {
    const organisation = await clockedOrganisation(service);
    const [project = '', other = ''] = organisation.projectIds;
    await organisation.scan(day(5), project, 'running_app', []);
    await organisation.sync(day(6), project, ['pkg:npm/nothing-known-of-it@1.0.0']);
    const { all, domains: of } = await organisation.trend(day(7), project, 90);
    expect(of.running_app.known_since).toEqual(day(5));
    expect(of.running_app.days.map(({ day: each }) => each)).toEqual(['2026-01-05', '2026-01-06', '2026-01-07']);
    expect(of.dependencies.known_since).toEqual(day(6));
    expect(of.dependencies.days).toHaveLength(2);
    expect(all).toMatchObject({ known_since: day(5), days: [{}, {}, {}] });
    expect(await organisation.trend(day(7), other, 90)).toMatchObject({ all: never });
  });

  test('of the organisation adds up its projects', async () => {
    const organisation = await clockedOrganisation(service);
    const [one = '', two = ''] = organisation.projectIds;
    await organisation.scan(day(1), one, 'code', [reportedFinding('a', { tier: 'RED' })]);
    await organisation.scan(day(2), two, 'running_app', [reportedFinding('b', { tier: 'RED' })]);
    const { all } = await organisation.trend(day(2), undefined, 1);
    expect(all.days).toEqual([
      { day: '2026-01-01', open: { red: 1, yellow: 0, green: 0 }, new: 1, resolved: 0 },
      { day: '2026-01-02', open: { red: 2, yellow: 0, green: 0 }, new: 1, resolved: 0 },
    ]);
  });

  test('says that nothing was ever looked at where that is so', async () => {
    const { key, projectId } = await newOrganisationWithProject(service);
    for (const query of ['', `?project_id=${projectId}`]) {
      const { status, body } = await service.call(key, 'GET', `/api/posture/trend${query}`);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        window_days: 7,
        all: never,
        domains: Object.fromEntries(domains.map((each) => [each, never])),
      });
    }
  });

  test('of a deleted project goes with it', async () => {
    const organisation = await clockedOrganisation(service);
    const [gone = ''] = organisation.projectIds;
    const now = new Date();
    await organisation.scan(now, gone, 'code', [reportedFinding('any')]);
    await organisation.sync(now, gone, ['pkg:npm/nothing-known-of-it@1.0.0']);
    await service.call(organisation.organisation.writeKey, 'DELETE', `/api/projects/${gone}`);
    expect(await organisation.trend(now, undefined, 7)).toMatchObject({ all: never });
  });

  test.each([
    ['window_days=0', 'window_days'],
    ['window_days=91', 'window_days'],
    ['domain=code', 'domain'],
  ])('with %s is an error that names the field', async (query, field) => {
    const { key } = await newOrganisationWithProject(service);
    const { status, body } = await service.call(key, 'GET', `/api/posture/trend?${query}`);
    expect([status, body]).toMatchObject([422, { errors: [{ field }] }]);
  });

  test('of a project that is not there, or is another organisation’s, is a 404', async () => {
    const [own, other] = [await newOrganisationWithProject(service), await newOrganisationWithProject(service)];
    for (const id of ['prj_00000000000000000000', other.projectId]) {
      const answer = await service.call(own.key, 'GET', `/api/posture/trend?project_id=${id}`);
      expect(answer).toMatchObject({ status: 404, body: { resource: 'project' } });
    }
  });
});

test('what another instance’s clock has on tomorrow counts today', () => {
  const counted = { domain: 'code', tier: 'RED', appeared: 1, resolved: 0, net: 1 } as const;
  const { days } = seriesOf([{ domain: 'code', tier: 'RED', count: 2 }], [{ ...counted, day: '2026-01-08' }], {
    ...{ since: day(6, 0), now: day(7, 23), knownSince: day(1) },
  });
  expect(days.map(({ open, new: appeared }) => [open.red, appeared])).toEqual([
    [1, 0],
    [2, 1],
  ]);
});

describe('since when a stack is there', () => {
  const changed: string[] = [];
  const countsOf = (projectId: string) =>
    service.database.system((tx) =>
      tx.selectFrom('stack_counts').selectAll().where('project_id', '=', projectId).execute(),
    );

  test('is kept with its packages, however they come and go', async () => {
    const organisation = await clockedOrganisation(service);
    const [project = ''] = organisation.projectIds;
    changed.push(project);
    const purls = ['a', 'b', 'c'].map((name) => `pkg:npm/${name}@1.0.0`);
    await organisation.sync(day(1), project, purls);
    expect(await countsOf(project)).toMatchObject([{ packages: 3, first_at: day(1), changed_at: day(1) }]);
    await organisation.sync(day(2), project, [...purls, 'pkg:npm/d@1.0.0']);
    expect(await countsOf(project)).toMatchObject([{ packages: 4, first_at: day(1), changed_at: day(2) }]);
    await organisation.sync(day(3), project, []);
    const [left] = await countsOf(project);
    expect(left).toMatchObject({ packages: 0, first_at: day(1) });
    // What is removed says not when, so the database's clock does.
    expect(left?.changed_at.getTime()).toBeGreaterThan(day(3).getTime());
  });

  test('changes with one package in place', async () => {
    const organisation = await service.newOrganisation();
    const project = await newProject(service, organisation);
    changed.push(project);
    const path = `/api/projects/${project}/tech-stack`;
    const given = { ecosystem: 'npm', name: 'one', version: '1.0.0' };
    const { body } = await service.call(organisation.writeKey, 'POST', path, given);
    const [before] = await countsOf(project);
    const { id } = Object(body);
    await service.call(organisation.writeKey, 'PATCH', `${path}/${id}`, { version: '1.0.1' });
    const [after] = await countsOf(project);
    expect(after?.packages).toBe(1);
    expect(after?.changed_at.getTime()).toBeGreaterThan(before?.changed_at.getTime() ?? 0);
    await service.call(organisation.writeKey, 'DELETE', `${path}/${id}`);
    expect(await countsOf(project)).toMatchObject([{ packages: 0 }]);
  });

  test('is what a count of all rows gives', async () => {
    const { rows } = await service.database.system((tx) =>
      sql<{ wrong: number }>`
        select count(*)::int as wrong from projects
        where id = any (${changed})
          and (select coalesce(sum(packages), 0) from stack_counts where project_id = projects.id)
            <> (select count(*) from tech_stack_items where removed_in = 0 and project_id = projects.id)`.execute(tx),
    );
    expect([changed.length, rows]).toEqual([2, [{ wrong: 0 }]]);
  });
});

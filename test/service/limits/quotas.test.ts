import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at, textAt } from '../../support/at.js';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';
import { newProject } from '../projects/new-project.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const numbers = (count: number) => sql`generate_series(1, ${count}) as n`;

/** Fills an organisation with rows that the test does not look at. */
const fill = (rows: RawBuilder<unknown>) => service.database.system((tx) => rows.execute(tx));

interface Case {
  readonly of: string;
  readonly limit: number;
  /** What the organisation of this test has before. */
  readonly has: number;
  readonly rows: (organisation: TestOrganisation, projectId: string, count: number) => RawBuilder<unknown>;
  readonly add: (organisation: TestOrganisation, projectId: string) => ReturnType<TestService['call']>;
}

const cases: readonly Case[] = [
  {
    of: 'projects',
    limit: 200,
    has: 1,
    rows: ({ id }, _project, count) =>
      sql`insert into projects (organisation_id, id, name, exposure) select ${id}, 'prj' || n, 'filling ' || n, 'internal' from ${numbers(count)}`,
    add: ({ writeKey }) => service.call(writeKey, 'POST', '/api/projects', { name: `one more ${randomUUID()}` }),
  },
  {
    of: 'api_keys',
    limit: 100,
    has: 2,
    rows: ({ id }, _project, count) => sql`
      insert into api_keys (organisation_id, id, name, scope, key_hash, last_four, created_by)
      select ${id}, 'key' || n, 'filling', 'ReadOnly', convert_to(${id} || n, 'UTF8'), '0000', 'the tests' from ${numbers(count)}`,
    add: ({ admin }) =>
      service.call(admin.session, 'POST', '/api/org/api-keys', { name: `more ${randomUUID()}`, scope: 'ReadOnly' }),
  },
  {
    of: 'webhooks',
    limit: 200,
    has: 0,
    rows: ({ id }, project, count) => sql`
      insert into webhooks (organisation_id, id, project_id, kind, name, url, events)
      select ${id}, 'whk' || n, ${project}, 'generic', 'filling', 'https://example.com/', '{}' from ${numbers(count)}`,
    add: ({ writeKey }, project) =>
      service.call(writeKey, 'POST', `/api/projects/${project}/webhooks`, {
        ...{ kind: 'generic', name: 'one more', url: `https://example.com/${randomUUID()}` },
      }),
  },
  {
    of: 'members',
    limit: 100,
    has: 2,
    rows: ({ id }, _project, count) => sql`
      insert into members (organisation_id, id, email, name, role, password_hash)
      select ${id}, 'mem' || n, ${id} || n || '@example.com', 'filling', 'member', '' from ${numbers(count)}`,
    add: ({ admin }) =>
      service.call(admin.session, 'POST', '/api/org/invites', { email: `${randomUUID()}@example.com`, role: 'member' }),
  },
  {
    of: 'targets',
    limit: 500,
    has: 0,
    rows: ({ id }, project, count) => sql`
      insert into dast_targets (organisation_id, id, project_id, url, name)
      select ${id}, 'tgt' || n, ${project}, 'https://' || n || '.example.com', 'filling' from ${numbers(count)}`,
    add: ({ writeKey }, project) =>
      service.call(writeKey, 'POST', `/api/projects/${project}/dast/targets`, {
        ...{ url: `https://${randomUUID()}.example.com`, name: 'one more' },
      }),
  },
];

describe('a plan', () => {
  test.each(cases)(
    'includes so many $of: the last one is made, one more is not',
    async ({ of, limit, has, rows, add }) => {
      const organisation = await service.newOrganisation({ plan: 'Free' });
      const project = await newProject(service, organisation);
      await fill(rows(organisation, project, limit - has - 1));
      expect(await add(organisation, project)).toMatchObject({ status: 200 });
      const refused = await add(organisation, project);
      expect(refused).toMatchObject({
        status: 409,
        body: { code: 'conflict', reason: 'quota_exceeded', quota: { of, plan: 'Free', limit, used: limit, added: 1 } },
      });
      expect(at(refused.body, 'detail')).toContain(`the plan Free includes ${limit} `);
      await service.database.system((tx) =>
        tx.updateTable('organisations').set({ plan: 'Business' }).where('id', '=', organisation.id).execute(),
      );
      expect(await add(organisation, project)).toMatchObject({ status: 200 });
    },
  );

  test('includes so many findings: a scan that would pass it is refused as a whole', async () => {
    const organisation = await service.newOrganisation({ plan: 'Free' });
    const project = await newProject(service, organisation);
    await fill(fixedFindings(organisation, project, 499_999));
    const upload = (rules: readonly string[]) => uploadFor(organisation.writeKey, project, rules);
    expect(await upload(['a', 'b'])).toMatchObject({
      status: 409,
      body: { reason: 'quota_exceeded', quota: { of: 'findings', limit: 500_000, used: 499_999, added: 2 } },
    });
    const listed = await service.call(organisation.readKey, 'GET', `/api/projects/${project}/sast/findings`);
    expect(at(listed.body, 'total')).toBe(0);
    expect(await upload(['a'])).toMatchObject({ status: 200 });
    // What is known already needs no room.
    expect(await upload(['a'])).toMatchObject({ status: 200 });
  });

  test('includes so many findings: of scans of several projects at once those pass it that have room together', async () => {
    const organisation = await service.newOrganisation({ plan: 'Free' });
    const projects = await Promise.all(Array.from({ length: 6 }, () => newProject(service, organisation)));
    await fill(fixedFindings(organisation, projects[0] ?? '', 499_995));
    const rules = Array.from({ length: 2 }, (_, n) => `rule-${n}`);
    const answers = await Promise.all(projects.map((project) => uploadFor(organisation.writeKey, project, rules)));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([200, 200, 409, 409, 409, 409]);
    for (const { body } of answers.filter(({ status }) => status === 409)) {
      expect(body).toMatchObject({ reason: 'quota_exceeded', quota: { of: 'findings', limit: 500_000, added: 2 } });
    }
    const listed = projects.map((project) =>
      service.call(organisation.readKey, 'GET', `/api/projects/${project}/sast/findings`),
    );
    const totals = (await Promise.all(listed)).map(({ body }) => at(body, 'total'));
    expect(totals).toEqual(answers.map(({ status }) => (status === 200 ? 2 : 0)));
  });

  test.each(cases.filter(({ of }) => ['webhooks', 'targets'].includes(of)))(
    'includes so many $of in all projects, also where a key is bound to one',
    async ({ limit, rows, add }) => {
      const organisation = await service.newOrganisation({ plan: 'Free' });
      const [full, bound] = [await newProject(service, organisation), await newProject(service, organisation)];
      await fill(rows(organisation, full, limit));
      const writeKey = await boundKey(organisation, bound);
      expect(await add({ ...organisation, writeKey }, bound)).toMatchObject({
        status: 409,
        body: { reason: 'quota_exceeded', quota: { limit, used: limit, added: 1 } },
      });
    },
  );

  test('includes so many findings in all projects, also where a key is bound to one', async () => {
    const organisation = await service.newOrganisation({ plan: 'Free' });
    const [full, bound] = [await newProject(service, organisation), await newProject(service, organisation)];
    await fill(fixedFindings(organisation, full, 500_000));
    const refused = await uploadFor(await boundKey(organisation, bound), bound, ['a']);
    expect(refused).toMatchObject({ status: 409, body: { reason: 'quota_exceeded', quota: { used: 500_000 } } });
  });
});

/** Counts of findings that are not there. */
const fixedFindings = ({ id }: TestOrganisation, project: string, count: number) => sql`
  insert into posture_counts (organisation_id, domain, source, project_id, state, tier, severity, band, count)
  values (${id}, 'code', '', ${project}, 'fixed', 'GREEN', 'low', '', ${count})`;

const uploadFor = (key: string, project: string, rules: readonly string[]) =>
  service.call(key, 'POST', `/api/projects/${project}/sast/reports?source_repo=shop`, sarif(rules));

async function boundKey({ admin }: TestOrganisation, project: string): Promise<string> {
  const wanted = { name: `bound ${randomUUID()}`, scope: 'ReadWrite', project_ids: [project] };
  return textAt((await service.call(admin.session, 'POST', '/api/org/api-keys', wanted)).body, 'key');
}

function sarif(rules: readonly string[]) {
  const results = rules.map((ruleId) => ({
    ruleId,
    message: { text: `found ${ruleId}` },
    locations: [
      { physicalLocation: { artifactLocation: { uri: 'src/a.js' }, region: { startLine: 1 + rules.indexOf(ruleId) } } },
    ],
  }));
  return { version: '2.1.0', runs: [{ tool: { driver: { name: 'scanner' } }, results }] };
}

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { reachability } from '../../../src/procedures/reachability.js';
import { reassessProjects } from '../../../src/service/assessment/reassess-projects.js';
import { openDatabase } from '../../../src/service/db/open.js';
import { expireOverrides } from '../../../src/service/reachability/expire-overrides.js';
import { at } from '../../support/at.js';
import { kind, newDatabaseUrl, newDataDir } from '../../support/database.js';
import { startService, type TestService } from '../../support/service.js';
import { advisory, storeAdvisory, unique } from '../alerts/advisories.js';
import { type JudgedProject, projectWithVerdicts } from './project-with-verdicts.js';
import { dependency, report, type WireDependency } from './report.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

let project: JudgedProject;
let packageName: string;
let verdictId: string;

const purl = (version = '1.0.0') => `pkg:npm/${packageName}@${version}`;
const uploadUsage = (usage: WireDependency['usage']) => project.upload(report([dependency(purl(), usage)]));
const verdict = async () => {
  const [only] = await project.verdicts();
  if (only === undefined) throw new Error('the project has no verdict');
  return only;
};
const newestAudit = async () => {
  const { body } = await service.call(project.organisation.readKey, 'GET', '/api/org/audit-log');
  return at(body, 'items.0');
};

beforeEach(async () => {
  packageName = unique.packageName();
  await storeAdvisory(
    service.database,
    packageName,
    advisory(unique.advisoryId(), '0', '2.0.0', { severity: 'critical' }),
  );
  project = await projectWithVerdicts(service);
  await project.expose('internet');
  await project.sync(purl());
  await uploadUsage('reached');
  verdictId = (await verdict()).id;
});

const notExploitable = { verdict: 'NotExploitable', reason: '  Runs in a sandboxed build step only.  ' };

describe('an override', () => {
  test('is kept with setter, time and trimmed reason beside the machine verdict, which stays visible', async () => {
    const machine = (await verdict()).machine;
    const answer = await project.override(verdictId, notExploitable);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        effective_priority: 0,
        band: 'likely_not_exploitable',
        machine: { effective_priority: machine.effective_priority, band: 'likely_exploitable' },
        override: {
          verdict: 'NotExploitable',
          reason: 'Runs in a sandboxed build step only.',
          set_by: project.organisation.member.name,
          expires_at: null,
          evidence_changed_since_override: false,
        },
        revision: 2,
      },
    });
    expect(answer.headers.get('etag')).toBe('"2"');
    const alert = await service.call(project.organisation.readKey, 'GET', `${project.path}/alerts`);
    expect(alert.body).toMatchObject({
      items: [{ band: 'likely_not_exploitable', verdict: { effective_priority: 0, override: 'NotExploitable' } }],
    });
    expect(await newestAudit()).toMatchObject({
      action: 'verdict.override',
      target: { kind: 'verdict', id: verdictId },
      project: { id: project.projectId, name: expect.any(String) },
      vulnerability_id: expect.stringMatching(/^GHSA-/),
      package: `pkg:npm/${packageName}`,
      before: { verdict: null, reason: null },
      after: { verdict: 'NotExploitable', reason: 'Runs in a sandboxed build step only.' },
    });
  });

  test('may end on a date, which is its midnight UTC', async () => {
    const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
    const answer = await project.override(verdictId, { ...notExploitable, expires_at: day });
    expect(at(answer.body, 'override.expires_at')).toBe(`${day}T00:00:00.000Z`);
  });

  test('by an API key fails authentication, and says what is needed', async () => {
    const { writeKey } = project.organisation;
    const { status, body } = await project.override(verdictId, notExploitable, {}, writeKey);
    expect({ status, code: at(body, 'code'), reason: at(body, 'reason') }).toEqual({
      status: 401,
      code: 'unauthenticated',
      reason: 'needs_member_session',
    });
    expect(at(body, 'detail')).toBe(
      'this needs a member’s session (sign in by e-mail and password); an API key cannot do it',
    );
  });

  test('Exploitable raises to the highest band', async () => {
    await uploadUsage('unused');
    const answer = await project.override(verdictId, { verdict: 'Exploitable', reason: 'Called by a plugin.' });
    expect(answer.body).toMatchObject({
      effective_priority: 60,
      band: 'likely_exploitable',
      machine: { band: 'likely_not_exploitable' },
    });
  });

  test('survives 100 recomputations; the machine verdict changes beneath, and clearing shows it as it is then', async () => {
    await project.override(verdictId, notExploitable);
    for (let round = 0; round < 100; round += 1) await uploadUsage(round % 2 === 0 ? 'unused' : 'tooling');
    const overridden = await verdict();
    expect(overridden).toMatchObject({
      id: verdictId,
      effective_priority: 0,
      override: { verdict: 'NotExploitable', evidence_changed_since_override: true },
      evidence: { usage: { class: 'dev_only' } },
    });
    const cleared = await project.clear(verdictId);
    expect(cleared).toMatchObject({
      status: 200,
      body: {
        override: null,
        effective_priority: overridden.machine.effective_priority,
        band: overridden.machine.band,
      },
    });
    expect(await newestAudit()).toMatchObject({
      action: 'verdict.clear_override',
      before: { verdict: 'NotExploitable' },
      after: { verdict: null },
    });
  });

  test('survives a package that goes, comes back and is upgraded within the affected range, and new intelligence', async () => {
    await project.override(verdictId, notExploitable);
    await project.sync();
    expect(await project.verdicts()).toEqual([]);
    await project.sync(purl('1.5.0'));
    expect(await verdict()).toMatchObject({
      id: verdictId,
      versions: ['1.5.0'],
      override: { evidence_changed_since_override: true },
    });
    await project.expose('isolated');
    expect(await verdict()).toMatchObject({
      effective_priority: 0,
      evidence: { exposure: 'isolated' },
      override: { verdict: 'NotExploitable' },
    });
  });

  test('survives an advisory that is given its CVE by a feed: it is the same alert under another id', async () => {
    const [before] = (await project.written()).alerts;
    await project.override(verdictId, notExploitable);
    const cve = unique.cve();
    const [advisoryId] = before?.advisory_ids ?? [];
    await storeAdvisory(
      service.database,
      packageName,
      advisory(advisoryId ?? '', '0', '2.0.0', { severity: 'critical', cves: [cve] }),
    );
    await reassessProjects(service.database, new Date(), [{ ecosystem: 'npm', package_name: packageName }]);
    expect(await project.verdicts()).toMatchObject([
      { id: verdictId, alert_id: before?.id, cve, override: { verdict: 'NotExploitable' }, effective_priority: 0 },
    ]);
    expect((await project.written()).alerts).toHaveLength(1);
  });

  test('again with the same content changes nothing; another one needs the revision it replaces', async () => {
    await project.override(verdictId, notExploitable);
    const before = await project.written();
    expect(await project.override(verdictId, notExploitable)).toMatchObject({ status: 200, body: { revision: 2 } });
    expect(await project.written()).toEqual(before);
    const other = { verdict: 'Exploitable', reason: 'I see it otherwise.' };
    expect(await project.override(verdictId, other)).toMatchObject({
      status: 409,
      body: { reason: 'already_overridden' },
    });
    expect(await project.override(verdictId, other, { 'if-match': '"1"' })).toMatchObject({ status: 412 });
    expect(await project.override(verdictId, other, { 'if-match': '"2"' })).toMatchObject({
      status: 200,
      body: { revision: 3 },
    });
  });

  test('by two members at once: one wins, the other gets a conflict, and both are on record', async () => {
    const second = await service.newMember(project.organisation.id, 'member');
    const answers = await Promise.all([
      project.override(verdictId, { verdict: 'NotExploitable', reason: 'first' }),
      project.override(verdictId, { verdict: 'Exploitable', reason: 'second' }, {}, second.session),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const winner = answers.find(({ status }) => status === 200);
    expect((await verdict()).override?.reason).toBe(at(winner?.body, 'override.reason'));
  });

  test('with If-Match by two at once: one wins, the other gets 412', async () => {
    const answers = await Promise.all(
      ['first', 'second'].map((reason) =>
        project.override(verdictId, { verdict: 'NotExploitable', reason }, { 'if-match': '"1"' }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
  });

  test('may end at a time: then the machine verdict counts again, and the log says so', async () => {
    const expires_at = new Date(Date.now() + 60_000).toISOString();
    await project.override(verdictId, { ...notExploitable, expires_at });
    expect((await verdict()).override?.expires_at).toEqual(new Date(expires_at));
    await expireOverrides(service.database, new Date(Date.now() + 30_000));
    expect((await verdict()).override).not.toBeNull();
    await expireOverrides(service.database, new Date(Date.now() + 61_000));
    expect(await verdict()).toMatchObject({ override: null, band: 'likely_exploitable' });
    expect(await newestAudit()).toMatchObject({ action: 'verdict.override_expired', actor: { kind: 'system' } });
  });

  test('clearing where there is none changes nothing', async () => {
    const before = await project.written();
    expect(await project.clear(verdictId)).toMatchObject({ status: 200, body: { override: null } });
    expect(await project.written()).toEqual(before);
  });
});

describe('is refused', () => {
  const reason = 'Because.';

  test.each<[string, unknown, string]>([
    ['without a reason', { verdict: 'Exploitable' }, 'reason'],
    ['with a blank reason', { verdict: 'Exploitable', reason: ' \n\t ' }, 'reason'],
    ['with a reason of 2,001 characters', { verdict: 'Exploitable', reason: 'x'.repeat(2001) }, 'reason'],
    ['without a verdict', { reason }, 'verdict'],
    ['with an unknown verdict', { verdict: 'Maybe', reason }, 'verdict'],
    ['with an end in the past', { verdict: 'Exploitable', reason, expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    ['with an unknown field', { verdict: 'Exploitable', reason, because: 1 }, 'because'],
  ])('%s', async (_, body, field) => {
    const before = await project.written();
    const answer = await project.override(verdictId, body);
    expect(answer).toMatchObject({ status: 422, body: { code: 'invalid_input' } });
    expect(at(answer.body, 'errors.0.field')).toBe(field);
    expect(await project.written()).toEqual(before);
  });

  test('to API keys with 401, of either scope, on PUT and DELETE', async () => {
    const { readKey, writeKey } = project.organisation;
    for (const key of [readKey, writeKey]) {
      expect(await project.override(verdictId, { verdict: 'Exploitable', reason }, {}, key)).toMatchObject({
        status: 401,
        body: { code: 'unauthenticated' },
      });
      expect(await project.clear(verdictId, key)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    }
  });

  test('for an unknown verdict, another project’s and another organisation’s with 404', async () => {
    const body = { verdict: 'Exploitable', reason };
    const other = await projectWithVerdicts(service);
    const sibling = await service.call(project.organisation.writeKey, 'POST', '/api/projects', {
      name: unique.packageName(),
    });
    const paths = [
      `${project.verdictsPath}/vrd_unknown`,
      `/api/projects/${String(at(sibling.body, 'id'))}/reachability/verdicts/${verdictId}`,
    ];
    for (const path of paths) {
      for (const [method, rest] of [
        ['GET', ''],
        ['PUT', '/override'],
        ['DELETE', '/override'],
      ] as const) {
        const answer = await service.call(
          project.organisation.admin.session,
          method,
          `${path}${rest}`,
          method === 'PUT' ? body : undefined,
        );
        expect(answer).toMatchObject({ status: 404, body: { resource: 'verdict' } });
      }
    }
    expect(
      await service.call(
        other.organisation.member.session,
        'PUT',
        `${project.verdictsPath}/${verdictId}/override`,
        body,
      ),
    ).toMatchObject({ status: 404, body: { resource: 'project' } });
  });

  test('with every verdict endpoint on the Free plan with plan_required', async () => {
    const free = await projectWithVerdicts(service, 'Free');
    const calls = [
      ['GET', ''],
      ['GET', '/vrd_any'],
      ['PUT', '/vrd_any/override'],
      ['DELETE', '/vrd_any/override'],
    ] as const;
    for (const [method, rest] of calls) {
      const body = method === 'PUT' ? { verdict: 'Exploitable', reason } : undefined;
      const answer = await service.call(free.organisation.member.session, method, `${free.verdictsPath}${rest}`, body);
      expect(answer).toMatchObject({ status: 403, body: { code: 'plan_required' } });
    }
    expect(await free.upload(report([]))).toMatchObject({ status: 403, body: { code: 'plan_required' } });
  });

  test('without or with a wrong credential with 401', async () => {
    for (const credential of [null, 'nonsense', `postern_live_${'0'.repeat(64)}`]) {
      expect(await service.call(credential, 'GET', project.verdictsPath)).toMatchObject({ status: 401 });
    }
  });
});

test('an override survives a restart: another process’s start finds it on the same database', async () => {
  const location = kind === 'embedded' ? { dataDir: await newDataDir() } : { databaseUrl: await newDatabaseUrl() };
  const jwtKey = randomBytes(32);
  const before = await openDatabase(location);
  const first = await startService({ database: before, jwtKey });
  const name = unique.packageName();
  await storeAdvisory(before, name, advisory(unique.advisoryId(), '0', '2.0.0', { severity: 'critical' }));
  const withVerdicts = await projectWithVerdicts(first);
  await withVerdicts.sync(`pkg:npm/${name}@1.0.0`);
  await withVerdicts.upload(report([dependency(`pkg:npm/${name}@1.0.0`, 'reached')]));
  const [{ id } = { id: '' }] = await withVerdicts.verdicts();
  expect(await withVerdicts.override(id, notExploitable)).toMatchObject({ status: 200 });
  const [overridden] = await withVerdicts.verdicts();
  await first.close();
  await before.close();

  const after = await openDatabase(location);
  const second = await startService({ database: after, jwtKey });
  const { body } = await second.call(withVerdicts.organisation.readKey, 'GET', `${withVerdicts.verdictsPath}/${id}`);
  expect(reachability.getVerdict.output.parse(body)).toEqual(overridden);
  expect(overridden?.override?.verdict).toBe('NotExploitable');
  await second.close();
  await after.close();
});

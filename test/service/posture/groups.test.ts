import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { domains } from '../../../src/procedures/risk.js';
import { at, textAt } from '../../support/at.js';
import { startService, type TestService } from '../../support/service.js';
import { advisory, storeAdvisory, unique } from '../alerts/advisories.js';
import { newProject } from '../projects/new-project.js';
import { clockedOrganisation } from './clocked-organisation.js';
import { reportedFinding } from './reported-finding.js';

let service: TestService;
let clocked: Awaited<ReturnType<typeof clockedOrganisation>>;
let projectIds: string[];
/** Of a vulnerability that the first package of each stack has. */
let cve: string;

const now = new Date();
const groups = ['a', 'b', 'a inner', 'b inner'] as const;

beforeAll(async () => {
  service = await startService();
  clocked = await clockedOrganisation(service);
  const { organisation } = clocked;
  projectIds = [...clocked.projectIds];
  while (projectIds.length < 6) projectIds.push(await newProject(service, organisation));
  const names = [unique.packageName(), unique.packageName(), unique.packageName()];
  cve = unique.cve();
  for (const [nth, name] of names.entries()) {
    const scored = {
      cvss_score: 9.5 - 3 * nth,
      cvss_version: '3.1',
      cvss_vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    };
    const facts = { cves: nth === 0 ? [cve] : [unique.cve()], severity: 'high' as const, ...scored };
    await storeAdvisory(service.database, name, advisory(unique.advisoryId(), '0', '2.0.0', facts));
  }
  const purls = names.map((name) => `pkg:npm/${name}@1.0.0`);
  const yesterday = new Date(now.getTime() - 24 * 60 * 60 * 1_000);
  for (const [nth, id] of projectIds.entries()) {
    await clocked.sync(yesterday, id, purls.slice(0, nth % 4));
    if (nth % 2 === 0)
      await clocked.report(yesterday, id, purls.map((purl) => [purl, 'reached'] as const).slice(0, nth % 4));
    for (const domain of ['code', 'running_app', 'containers'] as const) {
      const found = Array.from({ length: (nth * 3 + domain.length) % 5 }, (_, n) =>
        reportedFinding(`${domain} ${n}`, { tier: (['RED', 'YELLOW', 'GREEN'] as const)[n % 3] ?? 'RED' }),
      );
      await clocked.scan(yesterday, id, domain, found);
      if (nth % 3 === 0) await clocked.scan(now, id, domain, found.slice(1));
    }
  }
  for (const name of groups) {
    const parent = name.endsWith('inner') ? name.slice(0, 1) : undefined;
    const id = textAt(await ask('POST', '/api/groups', { name, parent }), 'id');
    if (name === 'b inner') await addBareProjects(id);
  }
});
afterAll(() => service.close());

async function ask(method: string, path: string, body?: unknown, credential = clocked.organisation.admin.session) {
  const answer = await service.call(credential, method, path, body);
  expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBe(200);
  return answer.body;
}

const answerOf = (path: string, query: string) => ask('GET', `${path}?${query}`);
const rows = (body: unknown) => [at(body, 'items')].flat();
const ids = (body: unknown) => rows(body).map((row) => textAt(row, 'id'));
const sorted = (values: readonly string[]) => [...values].sort();

async function addBareProjects(group_id: string) {
  const project = { organisation_id: clocked.organisation.id, exposure: 'unknown', group_id } as const;
  const rows = Array.from({ length: many }, (_, n) => ({ ...project, id: `bare_${n}`, name: `bare ${n}` }));
  await service.database.system((tx) => tx.insertInto('projects').values(rows).execute());
}

/** The ids of projects without the bare ones. */
const known = (values: readonly string[]) => values.filter((id) => !id.startsWith('bare_'));

/** The sum of two answers, number by number. */
function plus(a: unknown, b: unknown): unknown {
  if (typeof a === 'number' && typeof b === 'number') return a + b;
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return a;
  return Object.fromEntries(Object.keys(a).map((key) => [key, plus(at(a, key), at(b, key))]));
}

/** Where each project is: a group of the list, or none. */
const places = fc.array(fc.option(fc.nat(groups.length - 1)), { minLength: 6, maxLength: 6 });

/** Bare projects in the group `b inner`, so that it and `b` have too many to be named by their ids. */
const many = 30;

/** Puts the projects where they belong, and calls the check with each group that has some, and its projects. */
async function inEach(
  placed: readonly (number | null)[],
  check: (group: string, members: readonly string[]) => Promise<void>,
) {
  for (const [place, group] of [...groups, null].entries()) {
    const project_ids = projectIds.filter((_, nth) => (placed[nth] ?? null) === (group === null ? null : place));
    const to = group === null ? { clear: ['group'] } : { group };
    if (project_ids.length > 0) await ask('POST', '/api/groups/assign', { ...to, project_ids });
  }
  for (const group of groups) {
    const within = groups.flatMap((name, place) => (name.startsWith(group) ? [place] : []));
    const members = projectIds.filter((_, nth) => within.some((place) => place === placed[nth]));
    await check(encodeURIComponent(group), members);
  }
}

/** The parts of a posture that are counts, without what names findings or says what was looked at. */
async function countsOf(query: string) {
  const parts = [];
  for (const domain of domains) {
    const { open, acknowledged, suppressed, tiers } = Object(await answerOf(`/api/posture/${domain}/summary`, query));
    const diff = Object(await answerOf(`/api/posture/${domain}/diff`, `${query}&window_days=7`));
    const risks = Object(await answerOf(`/api/posture/${domain}/risks`, query));
    parts.push({ open, acknowledged, suppressed, tiers, new: diff.new, resolved: diff.resolved, left: diff.open });
    parts.push({ de_escalated: risks.de_escalated, triaged: risks.triaged });
  }
  const trend = Object(await answerOf('/api/posture/trend', `${query}&window_days=7`));
  const [today] = [trend.all.days].flat().slice(-1);
  const { open, ...changed } = today ?? { open: { red: 0, yellow: 0, green: 0 }, new: 0, resolved: 0 };
  return { ...parts, verdicts: await answerOf('/api/posture/verdicts', query), today: { open, ...changed, day: 0 } };
}

const lists = ['/api/alerts', '/api/reachability/verdicts', '/api/sast/findings'];

describe('a group is its projects and those of the groups in it', () => {
  test('in every count of the posture', async () => {
    const ofProject = new Map<string, unknown>();
    for (const id of projectIds) ofProject.set(id, await countsOf(`project_id=${id}`));
    const check = fc.asyncProperty(places, (placed) =>
      inEach(placed, async (group, members) => {
        const [first, ...others] = members.map((id) => ofProject.get(id));
        const sum = others.reduce(plus, first);
        const counted = await countsOf(`group=${group}`);
        if (sum === undefined) expect(JSON.stringify(counted)).not.toMatch(/:[1-9]/);
        else expect(counted).toEqual(sum);
      }),
    );
    await fc.assert(check, { numRuns: 5 });
  });

  test('in every list, its total, and the list of groups', async () => {
    const ofProject = new Map<string, Map<string, string[]>>();
    for (const id of projectIds) {
      const own = new Map<string, string[]>();
      for (const path of lists) own.set(path, ids(await answerOf(path, `page_size=100&project_id=${id}`)));
      ofProject.set(id, own);
    }
    const check = fc.asyncProperty(places, (placed) =>
      inEach(placed, async (group, members) => {
        for (const path of lists) {
          const body = await answerOf(path, `page_size=100&group=${group}`);
          const expected = members.flatMap((id) => ofProject.get(id)?.get(path) ?? []);
          expect(sorted(ids(body)), path).toEqual(sorted(expected));
          expect(at(body, 'total'), path).toBe(expected.length);
        }
        for (const path of ['/api/projects', '/api/projects?sort=worst', '/api/posture/projects']) {
          const body = await ask('GET', `${path}${path.includes('?') ? '&' : '?'}page_size=100&group=${group}`);
          const more = group.startsWith('b') ? many : 0;
          expect([sorted(known(ids(body))), at(body, 'total')], path).toEqual([sorted(members), members.length + more]);
        }
        const exposed = await answerOf('/api/intelligence/exposed', `cve=${cve}&group=${group}`);
        const found = rows(exposed).map((row) => textAt(row, 'project_id'));
        const all = rows(await answerOf('/api/intelligence/exposed', `cve=${cve}`)).map((row) =>
          textAt(row, 'project_id'),
        );
        expect(sorted(found)).toEqual(sorted(all.filter((id) => members.includes(id))));
        const listed = rows(await ask('GET', '/api/groups')).find(
          (row) => encodeURIComponent(textAt(row, 'name')) === group,
        );
        const open = { red: 0, yellow: 0, green: 0 };
        for (const row of rows(await answerOf('/api/posture/projects', `page_size=100&group=${group}`))) {
          for (const domain of domains) Object.assign(open, plus(open, at(row, `open.${domain}`)));
        }
        expect(listed).toMatchObject({ projects: members.length + (group.startsWith('b') ? many : 0), open });
        const searched = await answerOf('/api/search', `q=project&group=${group}`);
        expect(at(searched, 'projects.total')).toBe(members.length);
      }),
    );
    await fc.assert(check, { numRuns: 3 });
  });
});

describe('of a group', () => {
  /** The first three projects are in `a` or in it, the others elsewhere. */
  const placed = [0, 2, 2, 1, 3, null];
  beforeAll(() => inEach(placed, async () => {}));

  test('the worst risks, new findings and verdicts are those of its projects, and no others', async () => {
    const members = projectIds.slice(0, 3);
    for (const domain of domains) {
      const risks = rows({ items: at(await answerOf(`/api/posture/${domain}/risks`, 'group=a'), 'risks') });
      const known = [];
      for (const id of members)
        known.push(...rows({ items: at(await answerOf(`/api/posture/${domain}/risks`, `project_id=${id}`), 'risks') }));
      expect(risks.length, domain).toBe(Math.min(10, known.length));
      for (const risk of risks) expect(members).toContain(at(risk, 'project.id'));
      const fresh = rows({
        items: at(await answerOf(`/api/posture/${domain}/diff`, 'group=a&window_days=7'), 'worst_new'),
      });
      expect(fresh.length, domain).toBeGreaterThan(0);
      for (const finding of fresh) expect(members).toContain(at(finding, 'project.id'));
    }
    const exposed = await answerOf('/api/reachability/verdicts', 'exposure=unknown&group=a');
    const verdicts = await answerOf('/api/reachability/verdicts', 'group=a');
    expect(at(exposed, 'total')).toBe(at(verdicts, 'total'));
    expect(at(verdicts, 'total')).toBeGreaterThan(0);
  });

  test('coverage speaks of its projects alone', async () => {
    const fresh = await newProject(service, clocked.organisation);
    await ask('POST', '/api/groups', { name: 'empty' });
    const nothing = await answerOf('/api/posture/code/summary', 'group=empty');
    expect(at(nothing, 'coverage.gaps')).toContain('there is no project');
    await ask('POST', '/api/groups/assign', { group: 'empty', project_ids: [fresh] });
    const unscanned = await answerOf('/api/posture/code/summary', 'group=empty');
    expect(at(unscanned, 'coverage.gaps')).toContain('no code has been scanned');
    const untracked = await answerOf('/api/reachability/verdicts', 'group=empty');
    expect(JSON.stringify(at(untracked, 'coverage.gaps'))).toContain('no usage report');
    const exposed = await answerOf('/api/intelligence/exposed', `cve=${cve}&group=empty`);
    expect(exposed).toMatchObject({ total: 0, coverage: { status: 'unknown' } });
    expect(at(exposed, 'coverage.gaps')).toContain('no packages are tracked');
  });

  test('a key that is bound to one of its projects reads that one, and counts it alone', async () => {
    const [own = '', , , other = ''] = projectIds;
    const body = { name: 'bound', scope: 'ReadOnly', project_ids: [own, other] };
    const key = textAt(await ask('POST', '/api/org/api-keys', body), 'key');
    for (const path of lists) {
      const bound = await ask('GET', `${path}?page_size=100&group=a`, undefined, key);
      expect(ids(bound), path).toEqual(ids(await answerOf(path, `page_size=100&project_id=${own}`)));
    }
    for (const domain of domains) {
      const bound = await ask('GET', `/api/posture/${domain}/summary?group=a`, undefined, key);
      const alone = await answerOf(`/api/posture/${domain}/summary`, `project_id=${own}`);
      expect(at(bound, 'open'), domain).toEqual(at(alone, 'open'));
    }
  });
});

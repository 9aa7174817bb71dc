import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forms } from '../../../prove/operations/index.js';
import { call, doorsOf } from '../../../prove/support/doors.js';
import { idsOf, isInProject } from '../../../prove/support/operation.js';
import { domains } from '../../../src/procedures/risk.js';
import { makeWorld, storeIntelligence, type World } from '../../conformance/world.js';
import { at, textAt } from '../../support/at.js';
import { startPostern, type TestPostern } from '../../support/postern.js';
import { newFilledProject } from '../projects/filled-project.js';

let postern: TestPostern;
let world: World;
/** In a group and in the group that this is in; a third project is in none. */
let seen: readonly string[];
let hidden: string;
/** Of a member who sees the projects of the groups, and a key that is bound to them. */
let viewer: string;
let boundKey: string;

beforeAll(async () => {
  postern = await startPostern();
  world = await makeWorld(postern, await storeIntelligence(postern));
  const mobile = await newFilledProject(postern, world, 'mobile');
  hidden = await newFilledProject(postern, world, 'banking');
  await ask('PATCH', `/api/projects/${mobile}`, { group: 'Retail' });
  seen = [world.projectId, mobile];
  const member = await postern.newMember(world.organisation.id, 'none');
  await ask('PATCH', `/api/org/members/${member.id}`, { groups: [{ group: 'Retail', role: 'viewer' }] });
  viewer = member.session;
  const key = { name: 'bound', scope: 'ReadOnly', project_ids: seen };
  boundKey = textAt(await ask('POST', '/api/org/api-keys', key), 'key');
});
afterAll(() => postern.close());

async function ask(method: string, path: string, body?: unknown, credential = world.organisation.admin.session) {
  const answer = await postern.call(credential, method, path, body);
  expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBe(200);
  return answer.body;
}

/** The numbers of some answers of one form, added up. */
function sumOf(answers: readonly unknown[]): unknown {
  const [first] = answers;
  if (typeof first === 'number') return answers.reduce<number>((sum, each) => sum + Number(each), 0);
  if (typeof first !== 'object' || first === null || Array.isArray(first)) return undefined;
  const counted = Object.keys(first).filter(
    (key) => !['worst', 'worst_new', 'coverage', 'since', 'risks'].includes(key),
  );
  return Object.fromEntries(counted.map((key) => [key, sumOf(answers.map((answer) => at(answer, key)))]));
}

const paths = [
  ...domains.flatMap((domain) => ['summary', 'diff'].map((part) => `/api/posture/${domain}/${part}`)),
  '/api/posture/verdicts',
];

describe('what a member with a role in a group alone counts', () => {
  test.each(paths)('over all projects is what the projects of the group have: %s', async (path) => {
    const each = await Promise.all(seen.map((id) => ask('GET', `${path}?project_id=${id}`)));
    const all = await ask('GET', path);
    const counted = sumOf([await ask('GET', path, undefined, viewer)]);
    expect(counted).toEqual(sumOf(each));
    expect(counted).not.toEqual(sumOf([all]));
    expect(JSON.stringify(counted)).toMatch(/:[1-9]/);
  });

  test('in a trend is what they have at the end of each day', async () => {
    const lastDay = async (query: string, credential?: string) => {
      const trend = await ask('GET', `/api/posture/trend${query}`, undefined, credential);
      return [at(trend, 'all.days')].flat().at(-1);
    };
    const counted = sumOf([await lastDay('', viewer)]);
    expect(counted).toEqual(sumOf(await Promise.all(seen.map((id) => lastDay(`?project_id=${id}`)))));
    expect(JSON.stringify(counted)).toMatch(/"red":[1-9]/);
  });

  test('in a composite is what they have, at both doors', async () => {
    const composites = forms.filter(({ http, tool }) => http === undefined && tool !== undefined);
    expect(composites).toHaveLength(3);
    for (const operation of composites) {
      for (const door of doorsOf(operation)) {
        const read = async (credential: string, input: Record<string, unknown>) => {
          const { outcome, answer } = await call(postern.url, { operation, door, credential, input });
          expect(outcome, `${operation.path} over ${door}`).toBe('ok');
          return withoutTimes(answer.text);
        };
        const own = await read(viewer, {});
        expect(own, operation.path).toBe(await read(world.organisation.admin.session, { group: 'Retail' }));
        expect(own, operation.path).not.toContain(hidden);
        expect(own, operation.path).not.toBe(await read(world.organisation.admin.session, {}));
      }
    }
  });
});

test('a member with a role in a group reads at every door what a key that is bound to its projects reads', async () => {
  const ids = {
    ...{ ...idsOf(() => `none_${'a'.repeat(20)}`), project: world.projectId, group: world.groupId },
    ...{ alert: world.alertId, verdict: world.verdictId, item: world.itemId, image: world.imageId },
    ...{ webhook: world.webhookId, upload: world.uploadId },
  };
  const reads = forms.filter(({ who, http = 'GET ' }) => who === 'reader' && http.startsWith('GET '));
  const differences: string[] = [];
  for (const operation of reads.filter(({ path }) => !['session.get', 'organisation.get'].includes(path))) {
    for (const door of doorsOf(operation)) {
      const read = async (credential: string) => {
        const { answer } = await call(postern.url, { operation, door, credential, input: operation.input(ids, '') });
        return answer;
      };
      const [byKey, byMember] = [await read(boundKey), await read(viewer)];
      if (byMember.text.includes(hidden)) differences.push(`${operation.path} over ${door}: names another project`);
      const isSame = withoutTimes(byKey.text) === withoutTimes(byMember.text);
      if (byKey.status !== 403 && !isSame)
        differences.push(`${operation.path} over ${door}: ${byMember.text.slice(0, 300)}`);
    }
  }
  expect(reads.filter(isInProject).length).toBeGreaterThan(20);
  expect(differences).toEqual([]);
});

/** Answers name the moment at which they were made. */
function withoutTimes(text: string): string {
  return text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '').replace(/"request_?[iI]d":"[^"]*"/g, '');
}

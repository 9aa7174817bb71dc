import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forms } from '../../../prove/operations/index.js';
import { call, type Door, doorsOf } from '../../../prove/support/doors.js';
import { type Ids, idsOf, isInProject, mayAs, type Operation, ranks } from '../../../prove/support/operation.js';
import { textAt } from '../../support/at.js';
import { startPostern, type TestPostern } from '../../support/postern.js';
import type { TestOrganisation } from '../../support/service.js';

let postern: TestPostern;
let organisation: TestOrganisation;
/** A project in the group, one in a group that is in it, and one in another. */
let own: string;
let nested: string;
let other: string;
let group: string;

beforeAll(async () => {
  postern = await startPostern();
  organisation = await postern.newOrganisation({ plan: 'Enterprise' });
  group = await newGroup();
  own = await newProject(group);
  nested = await newProject(await newGroup(group));
  other = await newProject(await newGroup());
});
afterAll(() => postern.close());

async function ask(method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await postern.call(organisation.admin.session, method, path, body);
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

async function newGroup(parent?: string): Promise<string> {
  return textAt(await ask('POST', '/api/groups', { name: randomUUID(), parent }), 'id');
}

async function newProject(into: string): Promise<string> {
  return textAt(await ask('POST', '/api/projects', { name: randomUUID(), group: into }), 'id');
}

/** A member without a role in the organisation, and with one in the group. */
async function newGrantee(role: string) {
  const grantee = await postern.newMember(organisation.id, 'none');
  await ask('PATCH', `/api/org/members/${grantee.id}`, { groups: [{ group, role }] });
  return grantee;
}

/** Nobody's, so that a call that is admitted finds nothing. */
const nobodys: Ids = idsOf(() => `none_${'a'.repeat(20)}`);

/** Each operation at one of its doors, by turns. */
const cells = forms.map((operation, at): { operation: Operation; door: Door } => {
  const doors = doorsOf(operation);
  return { operation, door: doors[at % doors.length] ?? 'trpc' };
});

interface Asked {
  readonly credential: string;
  readonly ids: Ids;
}

/** What a call comes to: `admitted` is anything but a refusal of the caller. */
async function outcomeOf({ operation, door }: (typeof cells)[number], { credential, ids }: Asked) {
  const { outcome } = await call(postern.url, {
    operation,
    door,
    credential,
    input: operation.input(ids, randomUUID()),
  });
  return ['ok', 'refused', 'not_found'].includes(outcome) ? 'admitted' : outcome;
}

/** A session that the call ends must not be the one that others use. */
const isApart = ({ operation }: (typeof cells)[number]) => operation.endsSessions !== undefined;

describe.each(ranks)('the role %s in the organisation', (role) => {
  test('admits to what it may at every door, and to nothing else', async () => {
    const differences: string[] = [];
    const newSession = async () => (await postern.newMember(organisation.id, role)).session;
    const session = await newSession();
    for (const cell of cells) {
      const { operation, door } = cell;
      const credential = isApart(cell) ? await newSession() : session;
      const outcome = await outcomeOf(cell, { credential, ids: nobodys });
      const expected = mayAs(role, operation) ? 'admitted' : 'forbidden';
      if (outcome !== expected) differences.push(`${operation.path} over ${door}: ${outcome}, not ${expected}`);
    }
    expect(differences).toEqual([]);
  });
});

describe.each(['viewer', 'triager', 'member', 'admin'] as const)('the role %s in a group', (role) => {
  test('admits to what it may in the projects of the group and of groups in it', async () => {
    const differences: string[] = [];
    const { session: credential } = await newGrantee(role);
    for (const [at, cell] of cells.filter(({ operation }) => isInProject(operation)).entries()) {
      const { operation, door } = cell;
      // What is deleted must not be what others are about.
      const project = operation.who === 'remover' ? await newProject(group) : at % 2 === 0 ? own : nested;
      const outcome = await outcomeOf(cell, { credential, ids: { ...nobodys, project } });
      const expected = mayAs(role, operation) ? 'admitted' : 'forbidden';
      if (outcome !== expected) differences.push(`${operation.path} over ${door}: ${outcome}, not ${expected}`);
    }
    expect(differences).toEqual([]);
  });

  test('finds no project of another group, and may nothing in the organisation', async () => {
    const differences: string[] = [];
    const { session: credential } = await newGrantee(role);
    const shown = await ask('GET', `/api/projects/${other}`);
    for (const cell of cells.filter((each) => !isApart(each))) {
      const { operation, door } = cell;
      const ids = { ...nobodys, project: other };
      const input = operation.input(ids, randomUUID());
      const { outcome } = await call(postern.url, { operation, door, credential, input });
      const isOfOther = JSON.stringify(input).includes(other);
      const mayHere = mayAs(isInProject(operation) ? role : 'none', operation);
      const expected = mayHere ? (isOfOther ? ['not_found'] : ['ok', 'refused', 'not_found']) : ['forbidden'];
      if (!expected.includes(outcome)) differences.push(`${operation.path} over ${door}: ${outcome}, not ${expected}`);
    }
    expect(differences).toEqual([]);
    expect(await ask('GET', `/api/projects/${other}`)).toEqual(shown);
  });
});

test('a viewer of the organisation does in a group what a role there allows', async () => {
  const viewer = await postern.newMember(organisation.id, 'viewer');
  await ask('PATCH', `/api/org/members/${viewer.id}`, { groups: [{ group, role: 'member' }] });
  const rename = (project: string) =>
    postern.call(viewer.session, 'PATCH', `/api/projects/${project}`, { exposure: 'internal' });
  expect((await rename(nested)).status).toBe(200);
  expect((await rename(other)).body).toMatchObject({
    code: 'forbidden',
    detail: 'needs the role member or admin, and yours in the project is viewer',
  });
  expect((await postern.call(viewer.session, 'DELETE', `/api/projects/${own}`)).body).toMatchObject({
    detail: 'needs the role admin, and yours in the organisation is viewer',
  });
  expect((await postern.call(viewer.session, 'GET', `/api/projects/${other}`)).status).toBe(200);
});

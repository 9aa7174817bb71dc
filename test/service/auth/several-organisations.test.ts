import { randomUUID } from 'node:crypto';
import { Client, request } from 'undici';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { at } from '../../support/at.js';
import { startPostern, type TestPostern } from '../../support/postern.js';
import type { TestOrganisation } from '../../support/service.js';
import { newPerson, type People, type Person, type Steps, startPeople, stepsOf } from './people.js';

// A person with accounts in two organisations, and everything that may name one of them.

let people: People;
let postern: TestPostern;
let steps: Steps;
let first: TestOrganisation;
let second: TestOrganisation;
let third: TestOrganisation;
let person: Person;
beforeAll(async () => {
  people = await startPeople();
  postern = await startPostern(people.options);
  steps = stepsOf(postern, people);
  person = newPerson();
  [first, second, third] = [
    await postern.newOrganisation(),
    await postern.newOrganisation(),
    await postern.newOrganisation(),
  ];
  for (const organisation of [first, second]) {
    await steps.bind(organisation);
    await steps.accountFor(organisation, person.email);
    await steps.prove(organisation, person.email);
    await steps.ask(organisation.writeKey, 'POST', '/api/projects', { name: `shop of ${organisation.id}` });
  }
});
afterAll(async () => {
  await postern.close();
  await people.server.close();
});

/** A list of the projects by each door; all of them end in one procedure. */
const doors = {
  REST: { method: 'GET', path: '/api/projects', body: null },
  tRPC: { method: 'GET', path: `/trpc/projects.list?input=${encodeURIComponent('{"json":{}}')}`, body: null },
  MCP: {
    ...{ method: 'POST', path: '/mcp' },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'list_projects', arguments: {} },
    }),
  },
} as const;
const everyDoor = ['REST', 'tRPC', 'MCP'] as const;
type Door = (typeof everyDoor)[number];

const headersOf = (credential: string, organisation?: string) => ({
  ...{ authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
  ...{ accept: 'application/json, text/event-stream' },
  ...(organisation !== undefined && { 'x-organisation': organisation }),
});

async function ask(door: Door, credential: string, organisation?: string): Promise<string> {
  const { path, ...sent } = doors[door];
  const headers = headersOf(credential, organisation);
  const answer = await request(`${postern.url}${path}`, { ...sent, headers });
  return answer.body.text();
}

/** Which organisations' projects an answer has. */
const seenIn = (text: string) => [first, second, third].filter(({ id }) => text.includes(`shop of ${id}`));

describe.each(everyDoor)('through %s a token', (door) => {
  const forms: Record<string, (organisation: TestOrganisation) => unknown> = {
    'an id': ({ id }) => id,
    'a name': ({ id }) => `Organisation ${id}`,
    'a list': ({ id }) => ['another', id],
    'an object of names, as Keycloak writes it': ({ id }) => ({ [`organisation ${id}`]: { id: ['any'] } }),
  };

  test.each(Object.entries(forms))('that names an organisation by %s is of that one alone', async (_form, claim) => {
    for (const organisation of [first, second]) {
      const token = await people.tokenOf(person, { organization: claim(organisation) });
      expect(seenIn(await ask(door, token))).toEqual([organisation]);
      expect(seenIn(await ask(door, token, organisation.id))).toEqual([organisation]);
      const other = organisation === first ? second : first;
      const refused = await ask(door, token, other.id);
      expect(seenIn(refused)).toEqual([]);
      expect(refused).toContain('not of the organisation');
    }
  });

  test('that names none is of the one that the request names', async () => {
    const token = await people.tokenOf(person);
    expect(seenIn(await ask(door, token, first.id))).toEqual([first]);
    expect(seenIn(await ask(door, token, second.id))).toEqual([second]);
  });

  test('that names both is of the one that the request names', async () => {
    const token = await people.tokenOf(person, { organization: [first.id, second.id] });
    expect(seenIn(await ask(door, token, second.id))).toEqual([second]);
    expect(await ask(door, token)).toContain('member of several organisations');
  });

  test('where nothing names one is refused, with both named and nothing else', async () => {
    const refused = await ask(door, await people.tokenOf(person));
    expect(refused).toContain('member of several organisations');
    for (const { id } of [first, second]) expect(refused).toContain(`organisation ${id}`);
    expect(refused).not.toContain(third.id);
    expect(seenIn(refused)).toEqual([]);
  });

  test('does not learn by the header whether a third one exists', async () => {
    const token = await people.tokenOf(person);
    const refusals = [];
    for (const named of [third.id, randomUUID(), 'org_unknown', `organisation ${first.id}`, '', first.id.toUpperCase()])
      refusals.push((await ask(door, token, named)).replace(/"request_?[iI]d":"[^"]*"|"instance":"[^"]*"/g, ''));
    expect(new Set(refusals).size).toBe(1);
    expect(refusals[0]).toContain('not of the organisation');
  });

  test.each([
    ['a third one', () => third.id],
    ['none that exists', () => 'another'],
    ['a list of strangers', () => ['another', third.id]],
  ])('whose claim names %s is of none', async (_what, claim) => {
    const token = await people.tokenOf(person, { organization: claim() });
    for (const header of [undefined, first.id, second.id])
      expect(await ask(door, token, header)).toContain('not of the organisation');
  });

  test('whose claim cannot be read is not taken', async () => {
    for (const organization of [7, true, [first.id, 7], [{ id: first.id }]])
      expect(await ask(door, await people.tokenOf(person, { organization }), first.id)).toMatch(
        /authentication failed|unauthenticated/,
      );
  });
});

describe.each(everyDoor)('through %s what belongs to one organisation', (door) => {
  test('is refused where the request names another one, or one in no form that an id has', async () => {
    const session = await steps.sessionOf(first.member.email, first.member.password);
    for (const credential of [first.readKey, first.writeKey, session]) {
      expect(seenIn(await ask(door, credential, first.id))).toEqual([first]);
      for (const named of [second.id, 'org_unknown', `${first.id} `.padEnd(700, 'x'), 'K\u00f6ln', '']) {
        const refused = await ask(door, credential, named);
        expect(seenIn(refused), named).toEqual([]);
        expect(refused, named).toContain('not of the organisation');
      }
    }
  });
});

test('the choice is in the answer, for programs', async () => {
  const token = await people.tokenOf(person);
  const named = [first, second].map(({ id }) => ({ id, name: `organisation ${id}` }));
  const rest = JSON.parse(await ask('REST', token));
  expect(rest).toMatchObject({ status: 403, code: 'forbidden', reason: 'several_organisations' });
  expect(rest.likely).toEqual(expect.arrayContaining(named));
  const data = at(JSON.parse(await ask('tRPC', token)), 'error.json.data');
  expect(data).toMatchObject({ failure: 'forbidden', reason: 'several_organisations' });
  expect(at(data, 'likely')).toEqual(expect.arrayContaining(named));
});

test('one token, two headers by turns over one pipelined socket, through every door: nothing crosses', async () => {
  const client = new Client(postern.url, { pipelining: 12 });
  onTestFinished(() => client.close());
  const token = await people.tokenOf(person);
  const named = [first, second, third, first, second];
  const asked = Array.from({ length: 300 }, (_, n) => ({
    door: everyDoor[n % everyDoor.length] ?? 'REST',
    organisation: named[n % named.length] ?? first,
  }));
  const answers = await Promise.all(
    asked.map(async ({ door, organisation }) => {
      const headers = headersOf(token, organisation.id);
      const answer = await client.request({ ...doors[door], headers, idempotent: true, blocking: false });
      return { organisation, seen: seenIn(await answer.body.text()) };
    }),
  );
  for (const { organisation, seen } of answers) expect(seen).toEqual(organisation === third ? [] : [organisation]);
});

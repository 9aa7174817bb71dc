import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeApiKey } from '../../src/service/auth/api-key.js';
import { apiKeyPrefix } from '../../src/shared/http/api-key-prefix.js';
import { clients, type WayIn } from '../clients/connect.js';
import { at } from '../support/at.js';
import { buildProgram } from '../support/build.js';
import { startPostern, type TestPostern } from '../support/postern.js';
import type { TestOrganisation } from '../support/service.js';

const failed = 'authentication failed';
const forbidden = 'this API key is read-only or lacks permission';

let postern: TestPostern;
let mine: TestOrganisation;
let other: TestOrganisation;
let revoked: string;
let router: string;
beforeAll(async () => {
  postern = await startPostern();
  [mine, other] = [await postern.newOrganisation(), await postern.newOrganisation()];
  const gone = await postern.newOrganisation();
  await postern.call(gone.admin.session, 'DELETE', `/api/org/api-keys/${gone.readKeyId}`);
  revoked = gone.readKey;
  router = await buildProgram('src/bin/mcp-router.ts');
});
afterAll(() => postern.close());

/** What a caller learns: the id of the organisation it acts for, or the words of the refusal. */
type Told = string;

interface Sent {
  readonly headers: Record<string, string>;
  /** Reading the organisation. */
  readonly reads: Told;
  /** Creating a project. */
  readonly writes: Told;
}

const made = 'made';

/** Every kind of credential, and what it is good for. Headers are made once the organisations are there. */
const kinds: ReadonlyArray<readonly [name: string, make: () => Sent]> = [
  ['no credential', () => ({ headers: {}, reads: failed, writes: failed })],
  ['a write key in Authorization', () => ({ headers: bearer(mine.writeKey), reads: mine.id, writes: made })],
  ['a write key in X-Service-Key', () => ({ headers: serviceKey(mine.writeKey), reads: mine.id, writes: made })],
  [
    'both: Authorization wins',
    () => ({ headers: { ...bearer(mine.writeKey), ...serviceKey(other.writeKey) }, reads: mine.id, writes: made }),
  ],
  [
    'both, Authorization being wrong: it still wins',
    () => ({ headers: { ...bearer(makeApiKey()), ...serviceKey(mine.writeKey) }, reads: failed, writes: failed }),
  ],
  [
    'both, Authorization being malformed: it still wins',
    () => ({ headers: { authorization: 'Basic eDp5', ...serviceKey(mine.writeKey) }, reads: failed, writes: failed }),
  ],
  [
    'both, Authorization reading only: it still wins',
    () => ({ headers: { ...bearer(mine.readKey), ...serviceKey(mine.writeKey) }, reads: mine.id, writes: forbidden }),
  ],
  ['a read key', () => ({ headers: bearer(mine.readKey), reads: mine.id, writes: forbidden })],
  ['a read key in X-Service-Key', () => ({ headers: serviceKey(mine.readKey), reads: mine.id, writes: forbidden })],
  ['another organisation’s key', () => ({ headers: bearer(other.writeKey), reads: other.id, writes: made })],
  ['an unknown key', () => ({ headers: bearer(makeApiKey()), reads: failed, writes: failed })],
  ['a key with one digit wrong', () => ({ headers: bearer(flipped(mine.writeKey)), reads: failed, writes: failed })],
  ['a key cut short', () => ({ headers: bearer(mine.writeKey.slice(0, -1)), reads: failed, writes: failed })],
  ['the prefix alone', () => ({ headers: bearer(apiKeyPrefix), reads: failed, writes: failed })],
  ['a key in capitals', () => ({ headers: bearer(mine.writeKey.toUpperCase()), reads: failed, writes: failed })],
  ['a key without Bearer', () => ({ headers: { authorization: mine.writeKey }, reads: failed, writes: failed })],
  ['a revoked key', () => ({ headers: bearer(revoked), reads: failed, writes: failed })],
  ['a member session', () => ({ headers: bearer(mine.member.session), reads: mine.id, writes: made })],
  ['an admin session', () => ({ headers: bearer(mine.admin.session), reads: mine.id, writes: made })],
  [
    'a session that is not ours',
    () => ({ headers: bearer(`${mine.member.session.slice(0, -4)}AAAA`), reads: failed, writes: failed }),
  ],
];

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
const serviceKey = (secret: string) => ({ 'x-service-key': secret });

function flipped(key: string): string {
  return `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
}

let named = 0;
const newName = () => `project ${++named}`;

describe('tRPC', () => {
  test.each(kinds)('%s', async (_name, make) => {
    const { headers, reads, writes } = make();
    const read = await fetch(`${postern.url}/trpc/organisation.get`, { headers });
    expect(toldOf(read, await read.json())).toBe(reads);
    const write = await fetch(`${postern.url}/trpc/projects.create`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ json: { name: newName() } }),
    });
    const answer: unknown = await write.json();
    expect(write.ok ? made : toldOf(write, answer)).toBe(writes);
  });

  function toldOf({ status }: Response, body: unknown): unknown {
    if (status === 200) return at(body, 'result.data.json.id');
    const text = at(body, 'error.json.message');
    expect(status).toBe(text === failed ? 401 : 403);
    expect(at(body, 'error.json.data.code')).toBe(text === failed ? 'UNAUTHORIZED' : 'FORBIDDEN');
    return text;
  }
});

describe.each(clients)('MCP over HTTP, %s', (_client, connect) => {
  test.each(kinds)('%s', async (_name, make) => {
    const { headers, ...expected } = make();
    await expectTold(connect, { transport: 'HTTP', url: new URL('/mcp', postern.url), headers }, expected);
  });
});

describe.each(clients)('MCP over stdio, %s', (_client, connect) => {
  test.each<readonly [name: string, make: () => Omit<Sent, 'headers'> & { readonly key: string | undefined }]>([
    ['no key', () => ({ key: undefined, reads: failed, writes: failed })],
    ['a write key', () => ({ key: mine.writeKey, reads: mine.id, writes: made })],
    ['a read key', () => ({ key: mine.readKey, reads: mine.id, writes: forbidden })],
    ['a malformed key', () => ({ key: 'not a key', reads: failed, writes: failed })],
    ['a revoked key', () => ({ key: revoked, reads: failed, writes: failed })],
    ['another organisation’s key', () => ({ key: other.readKey, reads: other.id, writes: forbidden })],
    ['a member session', () => ({ key: mine.member.session, reads: mine.id, writes: made })],
  ])('%s', async (_name, make) => {
    const { key, ...expected } = make();
    const env = { SERVICE_API_URL: postern.url, ...(key !== undefined && { SERVICE_API_KEY: key }) };
    await expectTold(connect, { transport: 'stdio', router, env }, expected);
  });
});

async function expectTold(
  connect: (typeof clients)[number][1],
  way: WayIn,
  { reads, writes }: Pick<Sent, 'reads' | 'writes'>,
): Promise<void> {
  const client = await connect(way);
  try {
    const read = await client.callTool({ name: 'get_org', arguments: {} });
    expect(read['isError'] === true ? at(read, 'content.0.text') : at(read, 'structuredContent.id')).toBe(reads);
    const write = await client.callTool({ name: 'create_project', arguments: { name: newName() } });
    expect(write['isError'] === true ? at(write, 'content.0.text') : made).toBe(writes);
  } finally {
    await client.close();
  }
}

test('the REST API takes Authorization alone', async () => {
  const status = async (headers: Record<string, string>) => (await fetch(`${postern.url}/api/org`, { headers })).status;
  expect(await status(bearer(mine.readKey))).toBe(200);
  expect(await status(serviceKey(mine.readKey))).toBe(401);
  expect(await status({})).toBe(401);
  expect(await status(bearer(revoked))).toBe(401);
});

test('what belongs to another organisation is not found, whatever the transport', async () => {
  const created = await postern.call(other.writeKey, 'POST', '/api/projects', { name: newName() });
  const id = String(at(created.body, 'id'));
  const input = encodeURIComponent(JSON.stringify({ json: { project_id: id } }));
  const trpc = await fetch(`${postern.url}/trpc/projects.get?input=${input}`, { headers: bearer(mine.writeKey) });
  expect([trpc.status, at(await trpc.json(), 'error.json.message')]).toEqual([
    404,
    `project ${id} was not found: list_projects names them`,
  ]);
  expect((await postern.call(mine.writeKey, 'GET', `/api/projects/${id}`)).status).toBe(404);
  for (const [, connect] of clients) {
    const url = new URL('/mcp', postern.url);
    const client = await connect({ transport: 'HTTP', url, headers: bearer(mine.writeKey) });
    const answer = await client.callTool({ name: 'get_project', arguments: { project_id: id } });
    expect(answer).toMatchObject({
      isError: true,
      content: [{ text: `project ${id} was not found: list_projects names them` }],
    });
    await client.close();
  }
});

test('no credential is in the log of gateway or service', () => {
  expect(postern.log()).toContain('"procedure":"organisation.get"');
  const secrets = [mine.readKey, mine.writeKey, other.writeKey, revoked, mine.member.session, mine.admin.session];
  for (const secret of secrets) expect(postern.log()).not.toContain(secret);
});

import request from 'supertest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPosternClient, isPosternError } from '../../src/client/index.js';
import type { ErrorCode } from '../../src/gateway/error-code.js';
import { callTool, type StartedGateway, startGateway } from '../support/gateway.js';
import { answerJson, type FakeUpstream, startUpstream } from '../support/upstream.js';

/** Marks all that the upstream writes: none of it may reach a caller. */
const foreign = 'UPSTREAM-TEXT';

let reply: { status: number; body: Record<string, unknown>; headers?: Record<string, string> };
let upstream: FakeUpstream;
let gateway: StartedGateway;
beforeAll(async () => {
  upstream = await startUpstream((res) => answerJson(res, reply.status, reply.body, reply.headers));
  gateway = await startGateway({ serviceUrl: upstream.url });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

function problem(status: number, rest: Record<string, unknown> = {}) {
  return {
    status,
    body: { type: foreign, title: foreign, detail: foreign, status, request_id: foreign, [foreign]: foreign, ...rest },
  };
}

const get = (path: string, input: unknown) =>
  request(gateway.app)
    .get(`/trpc/${path}`)
    .query({ input: JSON.stringify({ json: input }) })
    .set('authorization', 'Bearer k');

const post = (path: string, body: object) =>
  request(gateway.app).post(`/trpc/${path}`).set('authorization', 'Bearer k').send(body);

/** The failure on both transports: tRPC's error and the tool's text. */
async function failBoth() {
  const headers = { 'x-request-id': 'req-1' };
  const client = createPosternClient({
    url: gateway.url,
    credential: 'k',
    fetch: (input, init) => fetch(input, { ...init, headers: { ...init?.headers, ...headers } }),
  });
  const error: unknown = await client.techStack.update
    .mutate({ project_id: 'prj_x', item_id: 'itm_y', scope: 'optional' })
    .catch((thrown) => thrown);
  if (!isPosternError(error)) throw new Error(`no error of the gateway: ${String(error)}`);
  const tool = await callTool(
    gateway,
    'update_tech_stack_item',
    { project_id: 'prj_x', item_id: 'itm_y', scope: 'optional' },
    { headers: { authorization: 'Bearer k', ...headers } },
  );
  expect(tool.isError).toBe(true);
  expect(tool.structuredContent).toBeUndefined();
  expect(tool.text).toBe(error.message);
  expect(JSON.stringify([error.data, error.message, tool.raw, error.shape])).not.toContain(foreign);
  expect(JSON.stringify(error.shape)).not.toMatch(/\.ts:\d+|node_modules/);
  return { message: error.message, data: error.data };
}

const uncertain = 'whether the change was made is not known';

describe('each status of the service is one error, in the same words on both transports', () => {
  const table: ReadonlyArray<readonly [number, Record<string, unknown>, ErrorCode, string, string, number]> = [
    [401, { code: 'unauthenticated' }, 'unauthenticated', 'authentication failed', 'UNAUTHORIZED', 401],
    [403, { code: 'forbidden' }, 'forbidden', 'this API key is read-only or lacks permission', 'FORBIDDEN', 403],
    [403, {}, 'forbidden', 'this API key is read-only or lacks permission', 'FORBIDDEN', 403],
    [
      403,
      { reason: 'insufficient_scope' },
      'forbidden',
      'this token may read alone: its scope lacks postern:write',
      'FORBIDDEN',
      403,
    ],
    [
      403,
      { reason: 'several_organisations', likely: [{ id: 'org_1', name: 'Or\u200bchard' }] },
      'forbidden',
      'this person is a member of several organisations: name one by its id, in `organisation` when signing in, else in the header X-Organisation: org_1 ("Orchard")',
      'FORBIDDEN',
      403,
    ],
    [403, { reason: foreign }, 'forbidden', 'this API key is read-only or lacks permission', 'FORBIDDEN', 403],
    [
      403,
      { code: 'plan_required' },
      'plan_required',
      'this needs a Business or Enterprise subscription (Enterprise for export_sbom)',
      'FORBIDDEN',
      403,
    ],
    [
      404,
      { code: 'not_found', resource: 'tech_stack_item' },
      'not_found',
      'tech stack item itm_y was not found: list_tech_stack names them',
      'NOT_FOUND',
      404,
    ],
    [
      404,
      { code: 'not_found', resource: 'project' },
      'not_found',
      'project prj_x was not found: list_projects names them',
      'NOT_FOUND',
      404,
    ],
    [
      404,
      {
        resource: 'project',
        likely: [
          { id: 'prj_1', name: 'sh\u200bop<!-- obey -->' },
          { id: 'prj_2', name: 'Shed' },
        ],
      },
      'not_found',
      'project prj_x was not found: did you mean prj_1 ("shop⟨hidden markup removed⟩"), prj_2 ("Shed")? list_projects names them',
      'NOT_FOUND',
      404,
    ],
    [
      404,
      { resource: 'project', reason: 'ids_only', likely: [{ id: 'prj_1', name: 'Shop' }] },
      'not_found',
      'project prj_x takes an id here, not a name: a name can pass to something else: prj_1 ("Shop")',
      'NOT_FOUND',
      404,
    ],
    [404, { resource: 'member' }, 'not_found', 'member was not found: list_members names them', 'NOT_FOUND', 404],
    [404, { resource: 'route' }, 'not_found', 'the service does not offer this', 'NOT_FOUND', 404],
    [404, { resource: foreign }, 'not_found', 'not found: project_id prj_x, item_id itm_y', 'NOT_FOUND', 404],
    [
      409,
      { code: 'conflict', reason: 'already_tracked' },
      'conflict',
      'the package is already tracked at this version from this source',
      'CONFLICT',
      409,
    ],
    [
      409,
      { code: 'conflict', reason: 'mostly_removed', removal: { removed: 7, of: 8 } },
      'conflict',
      '7 of 8 would go: this removes most of the source’s packages: is another lock file synced under the same source? Then give each a source of its own. If it is meant, send force: true',
      'CONFLICT',
      409,
    ],
    [409, { reason: 'no_change', removal: foreign }, 'conflict', 'names nothing to change', 'CONFLICT', 409],
    [409, { reason: foreign }, 'conflict', 'it conflicts with what is already there', 'CONFLICT', 409],
    [412, {}, 'conflict', 'it was changed since you read it: read it again, then decide', 'CONFLICT', 409],
    [413, {}, 'invalid_input', 'the input is too large for the service', 'BAD_REQUEST', 400],
    [
      422,
      { errors: [{ field: 'version', message: foreign, reason: 'not_a_version' }] },
      'invalid_input',
      'version: is not a version of its ecosystem',
      'BAD_REQUEST',
      400,
    ],
    [
      400,
      { errors: [{ field: 'version', message: foreign, reason: foreign }] },
      'invalid_input',
      'version: is not accepted by the service',
      'BAD_REQUEST',
      400,
    ],
    [
      422,
      { errors: [{ field: foreign, message: foreign }] },
      'invalid_input',
      'the service does not accept this input',
      'BAD_REQUEST',
      400,
    ],
    [
      422,
      { errors: [{ field: `version.${foreign}`, message: foreign }, foreign] },
      'invalid_input',
      'version: is not accepted by the service',
      'BAD_REQUEST',
      400,
    ],
    [422, { errors: foreign }, 'invalid_input', 'the service does not accept this input', 'BAD_REQUEST', 400],
    [
      422,
      { errors: [{ field: '', message: foreign, reason: 'no_change' }] },
      'invalid_input',
      'names nothing to change',
      'BAD_REQUEST',
      400,
    ],
    [429, {}, 'rate_limited', 'too many requests: retry later', 'TOO_MANY_REQUESTS', 429],
    [
      500,
      { code: 'internal' },
      'upstream_error',
      `the service could not answer; ${uncertain}: look before you retry (request req-1)`,
      'BAD_GATEWAY',
      502,
    ],
    [
      503,
      {},
      'unavailable',
      `the service is busy or away; ${uncertain}: look before you retry (request req-1)`,
      'SERVICE_UNAVAILABLE',
      503,
    ],
    [
      418,
      {},
      'upstream_error',
      `the service gave an answer that cannot be understood; ${uncertain}; a retry will not help (request req-1)`,
      'BAD_GATEWAY',
      502,
    ],
  ];

  test.each(table)('%i %j is %s: %s', async (status, body, failure, message, code, httpStatus) => {
    reply = problem(status, body);
    expect(await failBoth()).toMatchObject({
      message,
      data: { failure, code, httpStatus, path: 'techStack.update', requestId: 'req-1' },
    });
  });

  test('429 passes Retry-After on', async () => {
    reply = { ...problem(429), headers: { 'retry-after': '17' } };
    const { message, data } = await failBoth();
    expect(message).toBe('too many requests: retry after 17 s');
    expect(data.retryAfterSeconds).toBe(17);
    const raw = await post('techStack.update', { json: { project_id: 'p', item_id: 'i' } });
    expect(raw.headers['retry-after']).toBe('17');
  });

  test('503 passes Retry-After on', async () => {
    reply = { ...problem(503), headers: { 'retry-after': '17' } };
    const { message, data } = await failBoth();
    expect(message).toBe('the service is busy or away; retry after 17 s (request req-1)');
    expect(data.retryAfterSeconds).toBe(17);
    const raw = await post('techStack.update', { json: { project_id: 'p', item_id: 'i' } });
    expect([raw.status, raw.headers['retry-after']]).toEqual([503, '17']);
  });

  test('a conflict has its reason as a code', async () => {
    reply = problem(409, { reason: 'name_taken' });
    expect((await failBoth()).data.reason).toBe('name_taken');
  });

  test('a plan’s limit is named with its numbers', async () => {
    const quota = { of: 'projects', plan: 'Free', limit: 200, used: 200, added: 1 };
    reply = problem(409, { reason: 'quota_exceeded', detail: foreign, quota });
    const { message, data } = await failBoth();
    expect(message).toBe(
      'the plan Free includes 200 projects; 200 are there and 1 more was asked for: delete what is not needed, or ask for a larger plan',
    );
    expect(data).toMatchObject({ failure: 'conflict', reason: 'quota_exceeded' });
  });

  test('fields are reported one by one', async () => {
    reply = problem(422, { errors: [{ field: 'version', message: foreign, reason: 'not_a_version' }] });
    expect((await failBoth()).data.fields).toEqual([
      { field: 'version', message: 'is not a version of its ecosystem', code: 'not_a_version' },
    ]);
    reply = problem(422, { errors: [{ field: 'version', message: foreign, reason: foreign }] });
    expect((await failBoth()).data.fields).toMatchObject([{ field: 'version', code: 'not_accepted' }]);
  });
});

describe('an input that fails its schema', () => {
  const bad = { project_id: 'p', page_size: 500, colour: 'red' };
  const known = { status: 200, body: { caller: 'may make the call' } };
  const asked = (since: number) => upstream.seen.slice(since).map(({ method, url }) => `${method} ${url}`);

  test('is refused in the same words on both transports, where the caller could make the call', async () => {
    const before = upstream.seen.length;
    reply = known;
    const tool = await callTool(gateway, 'list_alerts', bad, { headers: { authorization: 'Bearer k' } });
    const response = await get('alerts.list', bad);
    const { error } = response.body;
    expect(response.status).toBe(400);
    // A tool takes one argument more.
    expect(`${error.json.message}, view`).toBe(tool.text);
    expect(tool.text).toContain('page_size: ');
    expect(tool.text).toContain(
      'colour: is not known; it takes project_id, group, status, acknowledged, resolved, band, tier, cve, package, usage, severity, epss_min, cwe, kev, fixable, overridden, page, since, changed_since, page_size, cursor, cursors',
    );
    expect(error.json.data.fields).toMatchObject([
      { field: 'page_size', code: 'too_large' },
      { field: 'colour', code: 'not_known' },
    ]);
    expect(asked(before)).toEqual(Array(2).fill('GET /api/session?procedure=alerts.list'));
  });

  test.each([
    [401, { reason: 'needs_member_session' }, 'unauthenticated'],
    [403, {}, 'forbidden'],
    [403, { code: 'plan_required' }, 'plan_required'],
    [429, {}, 'rate_limited'],
    [404, {}, 'invalid_input'],
    [422, { errors: [{ field: 'procedure' }] }, 'invalid_input'],
    [500, {}, 'invalid_input'],
    [503, {}, 'invalid_input'],
  ])('is not spoken of before a caller whom the service answers with %i %j: %s', async (status, body, failure) => {
    reply = problem(status, body);
    const response = await get('alerts.list', bad);
    expect(response.body.error.json.data.failure).toBe(failure);
    const { message } = response.body.error.json;
    const tool = await callTool(gateway, 'list_alerts', bad, { headers: { authorization: 'Bearer k' } });
    expect(tool.text.startsWith(message)).toBe(true);
  });

  test('costs the service nothing without a credential, and where none is needed', async () => {
    const before = upstream.seen.length;
    const input = JSON.stringify({ json: bad });
    const response = await request(gateway.app).get('/trpc/alerts.list').query({ input });
    expect(response.body.error.json.data.failure).toBe('unauthenticated');
    expect((await post('session.create', { json: {} })).body.error.json.data.failure).toBe('invalid_input');
    expect(asked(before)).toEqual([]);
  });

  test('of a composite is not spoken of before an unknown caller', async () => {
    const before = upstream.seen.length;
    reply = problem(401);
    const response = await get('posture.getSummary', bad);
    expect(response.body.error.json.data.failure).toBe('unauthenticated');
    expect(asked(before)).toEqual(['GET /api/session']);
  });

  test.each([null, [], 'text', 7])('%j in place of an object is refused', async (input) => {
    reply = known;
    expect((await get('projects.list', input)).status).toBe(400);
  });

  test('that no JSON can carry is refused', async () => {
    reply = known;
    const cycle = {
      json: { project_id: 'p', document: { self: null } },
      meta: { referentialEqualities: { document: ['document.self'] }, v: 1 },
    };
    const response = await post('techStack.uploadSbom', cycle);
    expect(response.status).toBe(400);
    expect(response.text).toContain('the input cannot be sent as JSON');
  });
});

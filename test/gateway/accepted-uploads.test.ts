import { afterAll, beforeAll, expect, test } from 'vitest';
import { callTool, type StartedGateway, startGateway } from '../support/gateway.js';
import { type FakeUpstream, startUpstream } from '../support/upstream.js';

const job = {
  ...{
    id: 'upl_1',
    project_id: 'prj_1',
    procedure: 'techStack.sync',
    state: 'running',
    phase: 'writing',
    done: 2,
    of: 3,
  },
  ...{ received_at: '2026-01-02T03:04:05Z', started_at: null, finished_at: null, answer: null, problem: null },
};

let upstream: FakeUpstream;
let gateway: StartedGateway;
beforeAll(async () => {
  // As the service answers an upload that goes on after some seconds.
  upstream = await startUpstream((res) => {
    res.writeHead(202, { 'content-type': 'application/json', location: '/api/projects/prj_1/uploads/upl_1' });
    res.end(JSON.stringify(job));
  });
  gateway = await startGateway({ serviceUrl: upstream.url });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const headers = { authorization: 'Bearer key' };
const input = { project_id: 'prj_1', source: 'shop:package-lock.json', packages: [] };
const follow =
  /do not send it again; uploads\.get \{"project_id":"prj_1","upload_id":"upl_1"\} and GET \/api\/projects\/prj_1\/uploads\/upl_1 tell its state/;

test('an upload that the service goes on with tells an agent how to follow it, and is sent once', async () => {
  const before = upstream.seen.length;
  const answer = await callTool(gateway, 'sync_tech_stack', input, { headers });
  expect(answer).toMatchObject({ isError: true, text: expect.stringMatching(follow) });
  expect(upstream.seen.length - before).toBe(1);
});

test('the same by tRPC', async () => {
  const before = upstream.seen.length;
  const answer = await fetch(`${gateway.url}/trpc/techStack.sync`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ json: input }),
  });
  expect(answer.status).toBe(504);
  expect((await answer.text()).replaceAll('\\"', '"')).toMatch(follow);
  expect(upstream.seen.length - before).toBe(1);
});

import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import superjson from 'superjson';
import { afterEach, describe, expect, test } from 'vitest';
import { procedures } from '../../../src/procedures/index.js';
import { at } from '../../support/at.js';
import { collectGarbage } from '../../support/collect-garbage.js';
import { eventually } from '../../support/eventually.js';
import { type StartedGateway, startGateway } from '../../support/gateway.js';
import { sampleOf } from '../../support/sample.js';
import { type Answer, answerJson, type FakeUpstream, procedureOf, startUpstream } from '../../support/upstream.js';
import { errorAt, send } from '../session-cookie/browser.js';
import { open, startPlainService } from './plain-service.js';

let closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  closers = [];
});

async function start(answer?: Answer): Promise<{ service: FakeUpstream; gateway: StartedGateway }> {
  const service = await startUpstream(answer);
  const gateway = await startGateway({ serviceUrl: `${service.url}/prefix` });
  closers.push(gateway.close, service.close);
  return { service, gateway };
}

const key = { authorization: 'Bearer k' };
const sarif = '/trpc/upload/sast.uploadReport?project_id=p-1&source_repo=https%3A%2F%2Fexample.com%2Fshop%3Fa%3D1';

describe('an upload', () => {
  test('goes to the service byte by byte, with the caller’s credential, and is answered as a call', async () => {
    const { service, gateway } = await start();
    const document = ' {"odd":\t"\u00e9\\u0000" , "version": "2.1.0"}\n';
    const { status, body } = await send(`${gateway.url}${sarif}`, {
      method: 'POST',
      headers: { ...key, cookie: 'a=b', 'x-forwarded-for': '1.2.3.4', prefer: 'wait=60' },
      body: document,
    });
    expect(status).toBe(200);
    const [seen] = service.seen;
    expect([seen?.method, seen?.url, seen?.body]).toEqual([
      ...[
        'POST',
        '/prefix/api/projects/p-1/sast/reports?source_repo=https%3A%2F%2Fexample.com%2Fshop%3Fa%3D1',
        document,
      ],
    ]);
    expect(seen?.headers).toMatchObject({
      authorization: 'Bearer k',
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(document)),
      accept: 'application/json',
    });
    for (const name of ['cookie', 'x-forwarded-for', 'prefer', 'origin'])
      expect(seen?.headers).not.toHaveProperty(name);
    const { output } = procedures.sast.uploadReport;
    expect(superjson.deserialize(Object(at(body, 'result.data')))).toEqual(output.parse(sampleOf(output)));
  });

  test.each([
    [
      'sast.uploadReport',
      'project_id=p&source_repo=r',
      'application/json',
      '/api/projects/p/sast/reports?source_repo=r',
    ],
    ['dast.uploadReport', 'project_id=p', 'text/xml; charset=utf-16', '/api/projects/p/dast/reports?mode=baseline'],
    [
      'containers.uploadReport',
      'project_id=p&image=a%3A1',
      'application/gzip',
      '/api/projects/p/containers/reports?image=a%3A1',
    ],
    [
      'techStack.uploadSbom',
      'project_id=p&force=true',
      'application/vnd.cyclonedx+xml',
      '/api/projects/p/tech-stack/sbom?force=true',
    ],
    ['techStack.sync', 'project_id=p', 'application/json', '/api/projects/p/tech-stack/sync'],
    [
      'reachability.uploadUsageReport',
      'project_id=p',
      'application/json',
      '/api/projects/p/reachability/usage-reports',
    ],
    ['vex.upload', 'project_id=p', 'application/vnd.openvex+json', '/api/projects/p/vex'],
  ])('%s is at its own path, with %s in the query', async (path, query, type, url) => {
    const { service, gateway } = await start();
    const headers = { ...key, 'content-type': type, 'content-encoding': 'gzip' };
    const { status } = await send(`${gateway.url}/trpc/upload/${path}?${query}`, {
      method: 'POST',
      headers,
      body: '{}',
    });
    expect([status, service.seen[0]?.url]).toEqual([200, `/prefix${url}`]);
    expect(service.seen[0]?.headers).toMatchObject({ 'content-type': type, 'content-encoding': 'gzip' });
  });

  test('that the service goes on with is answered with its job', async () => {
    const job = sampleOf(procedures.uploads.get.output);
    const { gateway } = await start((res) => answerJson(res, 202, job));
    const { status, body } = await send(`${gateway.url}${sarif}`, { method: 'POST', headers: key, body: '{}' });
    expect(status).toBe(202);
    const answered = procedures.uploads.get.output.parse(job);
    expect(superjson.deserialize(Object(at(body, 'result.data')))).toEqual(answered);
    expect(answered.received_at).toBeInstanceOf(Date);
  });

  test('is by the session’s cookie a request like all others', async () => {
    const { service, gateway } = await start();
    const upload = (headers: Record<string, string>) =>
      send(`${gateway.url}${sarif}`, {
        method: 'POST',
        headers: { cookie: 'postern_session=t', ...headers },
        body: '{}',
      });
    expect((await upload({})).status).toBe(403);
    expect((await upload({ 'sec-fetch-site': 'same-site' })).status).toBe(403);
    expect(service.seen).toHaveLength(0);
    expect((await upload({ origin: gateway.url })).status).toBe(200);
    expect(service.seen[0]?.headers.authorization).toBe('Bearer t');
  });
});

describe('what is no upload is refused before anything is sent to the service:', () => {
  /** The question whether the caller may make the call. */
  const mayUpload = (target: string) => `/prefix/api/session?procedure=${target.split('?')[0]}`;

  test.each([
    ['another procedure', 'projects.create?name=x', {}, 404, 'not_found'],
    ['a name of JavaScript’s', 'constructor?x=1', {}, 404, 'not_found'],
    [
      'a form',
      'sast.uploadReport?project_id=p&source_repo=r',
      { 'content-type': 'multipart/form-data; boundary=x' },
      415,
      'invalid_input',
    ],
    [
      'plain text',
      'sast.uploadReport?project_id=p&source_repo=r',
      { 'content-type': 'text/plain' },
      415,
      'invalid_input',
    ],
    [
      'another media type',
      'sast.uploadReport?project_id=p&source_repo=r',
      { 'content-type': 'application/xml' },
      415,
      'invalid_input',
    ],
    [
      'a compressed list of fields',
      'techStack.sync?project_id=p',
      { 'content-type': 'application/gzip' },
      415,
      'invalid_input',
    ],
    ['a query without the project', 'sast.uploadReport?source_repo=r', {}, 400, 'invalid_input'],
    ['a misspelt field', 'sast.uploadReport?project_id=p&source_repo=r&repo=x', {}, 400, 'invalid_input'],
    ['a field that is in the body', 'techStack.sync?project_id=p&source=s', {}, 400, 'invalid_input'],
    ['the document in the query', 'sast.uploadReport?project_id=p&source_repo=r&report=x', {}, 400, 'invalid_input'],
    ['a field twice', 'sast.uploadReport?project_id=p&project_id=q&source_repo=r', {}, 400, 'invalid_input'],
    ['another path in an id', 'sast.uploadReport?project_id=..%2F..&source_repo=r', {}, 400, 'invalid_input'],
    ['no credential', 'sast.uploadReport?project_id=p&source_repo=r', { authorization: '' }, 401, 'unauthenticated'],
  ])('%s', async (_what, target, headers, status, failure) => {
    const { service, gateway } = await start();
    const answer = await send(`${gateway.url}/trpc/upload/${target}`, {
      ...{ method: 'POST', headers: { ...key, ...headers }, body: '{}' },
    });
    expect([answer.status, errorAt(answer.body, 'failure')]).toEqual([status, failure]);
    expect(service.seen.map(({ url }) => url)).toEqual(status === 400 ? [mayUpload(target)] : []);
  });

  test.each([
    ['an unknown credential', key, 1],
    ['no credential', { authorization: '' }, 0],
  ])('%s, before what is wrong with the query and the size', async (_what, headers, asked) => {
    const { service, gateway } = await start((res) => answerJson(res, 401, {}));
    const target = 'sast.uploadReport?source_repo=r';
    for (const body of ['{}', ' '.repeat(65 * 1024 * 1024)]) {
      const answer = await send(`${gateway.url}/trpc/upload/${target}`, {
        ...{ method: 'POST', headers: { ...key, ...headers }, body },
      });
      expect([answer.status, errorAt(answer.body, 'failure')]).toEqual([401, 'unauthenticated']);
    }
    expect(service.seen.map(({ url }) => url)).toEqual(Array(2 * asked).fill(mayUpload(target)));
  });

  test('a body that says it is too large', async () => {
    const { service, gateway } = await start();
    const { sent, answer } = open(`${gateway.url}/trpc/upload/reachability.uploadUsageReport?project_id=p`, {
      ...key,
      'content-type': 'application/json',
      'content-length': 9 * 1024 * 1024,
    });
    sent.write('{');
    const { status, body } = await answer;
    expect([status, errorAt(body, 'fields')]).toEqual([
      400,
      [{ field: 'report', message: 'must be at most 8 MB', code: 'too_large' }],
    ]);
    expect(service.seen.map(({ url }) => url)).toEqual([mayUpload('reachability.uploadUsageReport')]);
    sent.destroy();
  });
});

describe('an answer before the end of the body', () => {
  const headers = { ...key, 'content-type': 'application/json' };

  test('reaches the sender, and the service’s text does not', async () => {
    const service = await startPlainService((_req, res) => answerJson(res, 401, { detail: 'SECRET-DETAIL' }));
    const gateway = await startGateway({ serviceUrl: service.url });
    closers.push(gateway.close, service.close);
    const { sent, answer } = open(`${gateway.url}${sarif}`, { ...headers, 'content-length': 20_000_000 });
    const chunk = Buffer.alloc(64 * 1024, ' ');
    let over = false;
    const done = answer.then((answered) => {
      over = true;
      return answered;
    });
    // The sender sends on until it has the answer.
    while (!over) if (!sent.write(chunk)) await Promise.race([once(sent, 'drain'), done]);
    const { status, body } = await done;
    expect([status, errorAt(body, 'failure')]).toEqual([401, 'unauthenticated']);
    expect(JSON.stringify(body)).not.toContain('SECRET');
    sent.destroy();
  });

  test('is given where a body without a length turns out to be too large', async () => {
    let received = 0;
    const service = await startPlainService((req) => {
      req.on('data', (chunk: Buffer) => {
        received += chunk.length;
      });
      req.on('error', () => {});
    });
    const gateway = await startGateway({ serviceUrl: service.url });
    closers.push(gateway.close, service.close);
    const url = `${gateway.url}/trpc/upload/reachability.uploadUsageReport?project_id=p`;
    const { sent, answer } = open(url, headers);
    const chunk = Buffer.alloc(64 * 1024, ' ');
    for (let size = 0; size <= 8 * 1024 * 1024; size += chunk.length) if (!sent.write(chunk)) await once(sent, 'drain');
    const { status, body } = await answer;
    expect([status, errorAt(body, 'fields')]).toEqual([
      400,
      [{ field: 'report', message: 'must be at most 8 MB', code: 'too_large' }],
    ]);
    expect(received).toBeLessThanOrEqual(8 * 1024 * 1024);
    sent.destroy();
  });

  test('is given where the body stops arriving', async () => {
    const service = await startPlainService((req) => void req.resume());
    const gateway = await startGateway({ serviceUrl: service.url, transferIdleMs: 300 });
    closers.push(gateway.close, service.close);
    const { sent, answer } = open(`${gateway.url}${sarif}`, { ...headers, 'content-length': 1_000 });
    sent.write('{');
    const { status, body } = await answer;
    expect([status, errorAt(body, 'failure')]).toEqual([504, 'timeout']);
    expect(at(body, 'error.json.message')).toMatch(/the body stopped arriving/);
    sent.destroy();
  });
});

describe('a service that fails an upload', () => {
  const upload = async (answer: Answer, options: { readonly transferIdleMs?: number } = {}) => {
    const service = await startUpstream(answer);
    const gateway = await startGateway({ serviceUrl: service.url, ...options });
    closers.push(gateway.close, service.close);
    const answered = await send(`${gateway.url}${sarif}`, { method: 'POST', headers: key, body: '{}' });
    return { ...answered, lines: gateway.lines, seen: service.seen };
  };

  test.each([
    [422, { errors: [{ field: 'report.runs', reason: 'not_sarif', message: 'SECRET' }] }, 400, 'invalid_input'],
    [403, { code: 'plan_required' }, 403, 'plan_required'],
    [404, { resource: 'project' }, 404, 'not_found'],
    [409, {}, 409, 'conflict'],
    [500, { detail: 'SECRET' }, 502, 'upstream_error'],
    [302, {}, 502, 'upstream_error'],
    [200, { odd: 'SECRET' }, 502, 'upstream_error'],
    [202, { odd: 'SECRET' }, 502, 'upstream_error'],
  ] as const)('by %i is told as calls are, once', async (given, body, status, failure) => {
    const answered = await upload((res) => answerJson(res, given, body));
    expect([answered.status, errorAt(answered.body, 'failure'), answered.seen.length]).toEqual([status, failure, 1]);
    expect(JSON.stringify(answered.body)).not.toContain('SECRET');
    expect(answered.lines.filter((line) => line.includes('"procedure":"sast.uploadReport"'))).toHaveLength(1);
  });

  test('by being busy says when to come back', async () => {
    const { status, headers, body } = await upload((res) => answerJson(res, 503, {}, { 'retry-after': '7' }));
    expect([status, headers.get('retry-after'), errorAt(body, 'retryAfterSeconds')]).toEqual([503, '7', 7]);
  });

  test('by a broken answer is a fault of the service, and in the log', async () => {
    const answered = await upload((res) => {
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      res.write('{');
      res.destroy();
    });
    expect([answered.status, errorAt(answered.body, 'failure')]).toEqual([502, 'upstream_error']);
    expect(answered.lines.join()).toContain('"kind":"broken"');
  });

  test('by silence is a timeout, and does not say that nothing was done', async () => {
    const answered = await upload(() => {}, { transferIdleMs: 300 });
    expect([answered.status, errorAt(answered.body, 'failure')]).toEqual([504, 'timeout']);
    expect(at(answered.body, 'error.json.message')).toMatch(/whether the change was made is not known/);
  });

  test('by not being there is unavailable', async () => {
    const service = await startPlainService(() => {});
    await service.close();
    const gateway = await startGateway({ serviceUrl: service.url });
    closers.push(gateway.close);
    const { status, body } = await send(`${gateway.url}${sarif}`, { method: 'POST', headers: key, body: '{}' });
    expect([status, errorAt(body, 'failure')]).toEqual([503, 'unavailable']);
  });
});

describe('a large body', () => {
  const size = 60 * 1024 * 1024;
  const chunk = Buffer.alloc(64 * 1024, ' ');

  test('is nowhere in the gateway while the service reads none of it, and arrives whole', async () => {
    let received = 0;
    let goOn = () => {};
    const paused = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const service = await startPlainService(async (req, res) => {
      await paused;
      for await (const piece of req) received += piece.length;
      answerJson(res, 200, sampleOf(procedureOf({ method: 'POST', url: '/api/projects/p/sast/reports' }).output));
    });
    const gateway = await startGateway({ serviceUrl: service.url });
    closers.push(gateway.close, service.close);
    collectGarbage();
    const { arrayBuffers: before } = process.memoryUsage();
    const { sent, answer } = open(`${gateway.url}${sarif}`, {
      ...{ ...key, 'content-type': 'application/json', 'content-length': size },
    });
    let written = 0;
    const feeding = (async () => {
      for (; written < size; written += chunk.length) if (!sent.write(chunk)) await once(sent, 'drain');
      sent.end();
    })();
    // All that lies between is full when nothing has moved for long.
    for (let still = 0, last = -1; still < 2_000; still++) {
      await turn();
      if (written !== last) still = 0;
      last = written;
    }
    collectGarbage();
    const held = process.memoryUsage().arrayBuffers - before;
    expect(written).toBeLessThan(size / 2);
    expect(held).toBeLessThan(8 * 1024 * 1024);
    goOn();
    await feeding;
    expect([(await answer).status, received]).toEqual([200, size]);
  });

  test('is given up at the service when its sender leaves', async () => {
    let cutOff = false;
    let arrived = () => {};
    const begun = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const service = await startPlainService(async (req) => {
      req.once('data', arrived);
      await text(req).catch(() => {
        cutOff = true;
      });
    });
    const gateway = await startGateway({ serviceUrl: service.url });
    closers.push(gateway.close, service.close);
    const { sent, answer } = open(`${gateway.url}${sarif}`, {
      ...{ ...key, 'content-type': 'application/json', 'content-length': size },
    });
    sent.write(chunk);
    await begun;
    sent.destroy();
    await expect(answer).rejects.toThrow();
    await eventually(() => expect(cutOff).toBe(true));
    await eventually(() => expect(gateway.lines.join()).toContain('"status":"caller_left"'));
  });
});

test('four uploads of one credential are under way at once; calls and other credentials do not wait for them', async () => {
  const held: (() => void)[] = [];
  const service = await startUpstream((res, seen) => {
    const answer = () => answerJson(res, 200, sampleOf(procedureOf(seen).output));
    if (seen.method === 'POST' && seen.headers.authorization === 'Bearer k') held.push(answer);
    else answer();
  });
  const gateway = await startGateway({ serviceUrl: service.url });
  closers.push(gateway.close, service.close);
  const upload = (credential: string) =>
    send(`${gateway.url}${sarif}`, { method: 'POST', headers: { authorization: `Bearer ${credential}` }, body: '{}' });
  const five = Array.from({ length: 5 }, () => upload('k'));
  await eventually(() => expect(held).toHaveLength(4));
  expect((await send(`${gateway.url}/trpc/organisation.get`, { headers: key })).status).toBe(200);
  expect((await upload('other')).status).toBe(200);
  expect(held).toHaveLength(4);
  held[0]?.();
  await eventually(() => expect(held).toHaveLength(5));
  for (const release of held.slice(1)) release();
  expect((await Promise.all(five)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
});

import { request } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { at } from '../../support/at.js';
import { eventually } from '../../support/eventually.js';
import { startGateway } from '../../support/gateway.js';
import { type Answer, answerJson, startUpstream } from '../../support/upstream.js';
import { errorAt, send } from '../session-cookie/browser.js';
import { startPlainService } from './plain-service.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const key = { authorization: 'Bearer k' };
const sbom = '/trpc/document/intelligence.getSbomDocument?project_id=prj_1&vex=true';

async function start(answer: Answer, options: { readonly transferIdleMs?: number } = {}) {
  const service = await startUpstream(answer);
  const gateway = await startGateway({ serviceUrl: service.url, ...options });
  closers.push(gateway.close, service.close);
  return { service, gateway };
}

describe('a document', () => {
  test.each([
    [sbom, '/api/projects/prj_1/sbom/document?vex=true', 'prj_1.cdx.json'],
    ['/trpc/document/intelligence.exportOpenVex?project_id=prj_1', '/api/projects/prj_1/vex', 'prj_1.openvex.json'],
  ])('%s is a file to keep, byte by byte as the service has it', async (target, url, name) => {
    const document = ' { "bomFormat":\t"CycloneDX", "x": "\u00e9\u202e<script>" }\n';
    const { service, gateway } = await start((res) => {
      res.writeHead(200, { 'content-type': 'application/json', 'set-cookie': 'a=b', 'x-secret': 's' }).end(document);
    });
    const response = await fetch(`${gateway.url}${target}`, { headers: { ...key, cookie: 'a=b' } });
    expect([response.status, await response.text()]).toEqual([200, document]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-disposition': `attachment; filename=${name}`,
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    for (const header of ['set-cookie', 'x-secret']) expect(response.headers.has(header)).toBe(false);
    expect([service.seen[0]?.url, service.seen[0]?.headers.authorization]).toEqual([url, 'Bearer k']);
  });

  test('of lines has their type, and a name without a project', async () => {
    const lines = '{"id":"aud_1"}\n{"id":"aud_2"}\n';
    const { service, gateway } = await start((res) => {
      res.writeHead(200, { 'content-type': 'application/x-ndjson; charset=utf-8' }).end(lines);
    });
    const response = await fetch(`${gateway.url}/trpc/document/organisation.exportAuditLog?since=2026-01-01`, {
      headers: key,
    });
    expect([response.status, await response.text()]).toEqual([200, lines]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-disposition': 'attachment; filename=audit-log.jsonl',
      'content-type': 'application/x-ndjson',
    });
    expect(service.seen[0]?.url).toBe('/api/org/audit-log/export?since=2026-01-01T00%3A00%3A00.000Z');
    expect((await fetch(`${gateway.url}/trpc/organisation.exportAuditLog`, { headers: key })).status).toBe(404);
  });

  test('may be larger than any answer of a call', async () => {
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    const { gateway } = await start(async (res) => {
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': 12 * chunk.length });
      for (let part = 0; part < 12; part++) res.write(chunk);
      res.end();
    });
    const response = await fetch(`${gateway.url}${sbom}`, { headers: key });
    expect(response.headers.get('content-length')).toBe(String(12 * chunk.length));
    expect((await response.arrayBuffer()).byteLength).toBe(12 * chunk.length);
  });

  test('is by the session’s cookie for a link in a page of ours alone', async () => {
    const { service, gateway } = await start((res) => answerJson(res, 200, {}));
    const follow = (site: string) =>
      send(`${gateway.url}${sbom}`, { headers: { cookie: 'postern_session=t', 'sec-fetch-site': site } });
    for (const site of ['cross-site', 'same-site', 'none']) expect((await follow(site)).status).toBe(403);
    expect(service.seen).toHaveLength(0);
    expect((await follow('same-origin')).status).toBe(200);
    expect(service.seen[0]?.headers.authorization).toBe('Bearer t');
  });

  test.each([
    ['/trpc/document/projects.list', {}, 404, 'not_found'],
    ['/trpc/document/toString', {}, 404, 'not_found'],
    ['/trpc/document/intelligence.getSbomDocument', {}, 400, 'invalid_input'],
    [`${sbom}&extra=1`, {}, 400, 'invalid_input'],
    ['/trpc/document/intelligence.exportOpenVex?project_id=..', {}, 400, 'invalid_input'],
    [sbom, { authorization: 'Basic x' }, 401, 'unauthenticated'],
  ])('%s with %j is none', async (target, headers, status, failure) => {
    const { service, gateway } = await start((res) => answerJson(res, 200, {}));
    const {
      status: given,
      body,
      headers: answered,
    } = await send(`${gateway.url}${target}`, { headers: { ...key, ...headers } });
    expect([given, errorAt(body, 'failure'), answered.has('content-disposition')]).toEqual([status, failure, false]);
    const asked = status === 400 ? [expect.stringMatching(/^\/api\/session\?procedure=intelligence\.\w+$/)] : [];
    expect(service.seen.map(({ url }) => url)).toEqual(asked);
  });

  test('is refused for its credential before what is wrong with the query', async () => {
    const { service, gateway } = await start((res) => answerJson(res, 401, {}));
    for (const headers of [key, {}]) {
      const answer = await send(`${gateway.url}${sbom}&extra=1`, { headers });
      expect([answer.status, errorAt(answer.body, 'failure')]).toEqual([401, 'unauthenticated']);
    }
    expect(service.seen).toHaveLength(1);
  });

  test.each([
    [403, { code: 'plan_required' }, 403, 'plan_required'],
    [404, { resource: 'project' }, 404, 'not_found'],
    [503, {}, 503, 'unavailable'],
    [200, 'no JSON', 502, 'upstream_error'],
  ] as const)('that the service answers with %i is told as for calls', async (given, body, status, failure) => {
    const { gateway } = await start((res) =>
      typeof body === 'string'
        ? void res.writeHead(given, { 'content-type': 'text/html' }).end(body)
        : answerJson(res, given, body),
    );
    const answer = await send(`${gateway.url}${sbom}`, { headers: key });
    expect([answer.status, errorAt(answer.body, 'failure'), answer.headers.has('content-disposition')]).toEqual([
      ...[status, failure, false],
    ]);
  });

  test('that breaks off is not taken for complete', async () => {
    const { gateway } = await start((res) => {
      res.writeHead(200, { 'content-type': 'application/json' });
      res.write('{"half":', () => res.destroy());
    });
    const response = await fetch(`${gateway.url}${sbom}`, { headers: key });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    expect(gateway.lines.join()).toContain('"kind":"broken"');
    expect(gateway.lines.join()).not.toContain('request failed');
  });

  test('that nobody takes any more is given up at the service', async () => {
    let left = false;
    const service = await startPlainService((_req, res) => {
      res.once('close', () => {
        left = true;
      });
      res.writeHead(200, { 'content-type': 'application/json' });
      const chunk = Buffer.alloc(64 * 1024, 'x');
      const fill = (): void => void (res.write(chunk) ? setImmediate(fill) : res.once('drain', fill));
      fill();
    });
    const gateway = await startGateway({ serviceUrl: service.url, transferIdleMs: 500 });
    closers.push(gateway.close, service.close);
    // One caller leaves, another stays and reads nothing.
    for (const leave of [true, false]) {
      left = false;
      const sent = request(`${gateway.url}${sbom}`, { headers: key, agent: false }, (res) => {
        if (leave) res.destroy();
        else res.pause();
      });
      sent.on('error', () => {}).end();
      await eventually(() => expect(left).toBe(true));
      sent.destroy();
    }
    expect(at(JSON.parse(gateway.lines.at(-1) ?? '{}'), 'procedure')).toBe('intelligence.getSbomDocument');
  });
});

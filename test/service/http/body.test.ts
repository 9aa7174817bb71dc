import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at, textAt } from '../../support/at.js';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';

let service: TestService;
let organisation: TestOrganisation;

beforeAll(async () => {
  service = await startService();
  organisation = await service.newOrganisation();
});
afterAll(() => service.close());

const post = (body: unknown, headers: Record<string, string> = {}, path = '/api/projects') =>
  service.call(organisation.writeKey, 'POST', path, body, headers);

describe('a body that is no JSON', () => {
  test('gets 400 with its position and none of its content', async () => {
    const answer = await post('{"name": "hunter2",\n "password": hunter2}');
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      code: 'malformed_request',
      detail: 'the body is not JSON: expected a value at line 2, column 14',
      request_id: answer.headers.get('x-request-id'),
    });
    expect(JSON.stringify(answer.body)).not.toContain('hunter2');
  });

  test('gets 400 where it is no UTF-8', async () => {
    const answer = await post(Buffer.from([0x22, 0xff, 0x22]));
    expect(answer.body).toMatchObject({ status: 400, detail: 'the body is not UTF-8' });
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    '',
  ])('gets 415 as %j', async (type) => {
    const answer = await post('{"name":"a"}', { 'content-type': type });
    expect(answer.body).toMatchObject({ status: 415, code: 'unsupported_media_type' });
  });

  test('gets 415 in an unknown encoding', async () => {
    const answer = await post('{"name":"a"}', { 'content-encoding': 'rot13' });
    expect(answer.body).toMatchObject({ status: 415, code: 'unsupported_media_type' });
  });
});

describe('a JSON body', () => {
  test.each([
    ['application/json', 'plain'],
    ['application/json; charset=utf-8', 'with a charset'],
    ['application/vnd.cyclonedx+json', 'a suffix'],
    ['APPLICATION/JSON', 'in capitals'],
  ])('is taken as %s', async (type, name) => {
    const answer = await post({ name }, { 'content-type': type });
    expect(answer.status).toBe(200);
  });

  test('may be compressed', async () => {
    const answer = await post(gzipSync('{"name":"compressed"}'), { 'content-encoding': 'gzip' });
    expect(at(answer.body, 'name')).toBe('compressed');
  });

  test.each([['[]'], ['"text"'], ['7'], ['null']])('that is no object (%s) gets 422', async (body) => {
    const answer = await post(body);
    expect(answer.body).toMatchObject({ status: 422, code: 'invalid_input' });
  });

  test('may be absent where nothing is required', async () => {
    const answer = await service.call(organisation.admin.session, 'PATCH', '/api/org');
    expect(answer.body).toMatchObject({ status: 422, errors: [{ field: '', reason: 'no_change' }] });
  });

  test.each([
    ['{"__proto__": {"admin": true}, "name": "p"}', '__proto__'],
    ['{"\\u005f_proto__": {"admin": true}, "name": "p"}', '__proto__'],
    ['{"constructor": {"prototype": {"admin": true}}, "name": "p"}', 'constructor'],
  ])('cannot reach a prototype: %s', async (body, field) => {
    const answer = await post(body);
    expect(answer.status).toBe(422);
    expect(at(answer.body, 'errors.0.field')).toBe(field);
    expect(Object.hasOwn(Object.prototype, 'admin')).toBe(false);
  });

  test.each([
    ['a NUL', '{"name": "a", "description": "b\\u0000c"}'],
    ['half a surrogate pair', '{"name": "a", "description": "b\\ud800c"}'],
    ['its other half', '{"name": "a", "description": "b\\ude80c"}'],
    ['two first halves', '{"name": "a", "description": "\\ud83d\\ud83d\\ude80"}'],
    ['half a pair after what looks like the other', '{"name": "a", "description": "\\\\ud83d\\ude80"}'],
  ])('with %s in a text gets 422 that names the field', async (_, body) => {
    const answer = await post(body);
    expect(answer.body).toMatchObject({ status: 422, errors: [{ field: 'description' }] });
  });

  test('with a whole surrogate pair is kept as it is', async () => {
    const answer = await post('{"name": "rocket \\ud83d\\ude80"}');
    expect(at(answer.body, 'name')).toBe('rocket 🚀');
  });

  test('with a backslash before what looks like half a pair is kept as it is', async () => {
    const answer = await post('{"name": "\\\\ud83d \\\\u0000"}');
    expect(at(answer.body, 'name')).toBe('\\ud83d \\u0000');
  });

  test('nested too deeply is rejected, and does no harm', async () => {
    const answer = await post(`{"name": ${'['.repeat(200_000)}"\\u0000"${']'.repeat(200_000)}}`);
    expect(answer.body).toMatchObject({ status: 400, detail: 'the body is nested too deeply' });
  });
});

describe('a body’s size', () => {
  const oneMb = 1024 * 1024;

  test('is 1 MB at most for ordinary calls', async () => {
    const padding = (bytes: number) => `{"name":"a","description":"${'x'.repeat(bytes - 29)}"}`;
    expect(padding(oneMb)).toHaveLength(oneMb);
    expect((await post(padding(oneMb))).status).toBe(422);
    expect((await post(padding(oneMb + 1))).body).toMatchObject({ status: 413, code: 'too_large' });
  });

  test('counts after decompression', async () => {
    const bomb = gzipSync(`{"name":"${'x'.repeat(20 * oneMb)}"}`);
    expect(bomb.length).toBeLessThan(oneMb);
    expect((await post(bomb, { 'content-encoding': 'gzip' })).status).toBe(413);
  });

  test('may be far larger where whole stacks are sent', async () => {
    const { body } = await post({ name: 'large' });
    const path = `/api/projects/${textAt(body, 'id')}/tech-stack/sync`;
    const answer = await post(`{"source":"${'x'.repeat(2 * oneMb)}","packages":[]}`, {}, path);
    expect(answer.status).toBe(422);
    expect(at(answer.body, 'errors.0.field')).toBe('source');
    expect((await post(Buffer.alloc(64 * oneMb + 1, ' '), {}, path)).status).toBe(413);
  });

  test('of someone unknown is not looked at', async () => {
    const answer = await service.call(null, 'POST', '/api/projects', 'x'.repeat(4 * oneMb));
    expect(answer.status).toBe(401);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { methodOf, pathsOf } from '../../../src/shared/http/request-parts.js';
import { at, textAt } from '../../support/at.js';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';
import { everyRequest } from '../../support/upstream.js';

let service: TestService;
let organisation: TestOrganisation;

beforeAll(async () => {
  service = await startService();
  organisation = await service.newOrganisation();
});
afterAll(() => service.close());

describe('the routes', () => {
  test('answer every procedure: with 401 to a stranger; where no credential is needed with 422, and with 200 where no input is', async () => {
    for (const [, procedure] of everyRequest) {
      const method = methodOf(procedure);
      const body = method === 'GET' || method === 'DELETE' ? undefined : {};
      for (const path of pathsOf(procedure)) {
        const { status } = await service.call(null, method, path.replace(/\{\w+\}/g, 'x'), body);
        const needsNothing = procedure.public && procedure.access === 'read';
        expect(status, path).toBe(needsNothing ? 200 : procedure.public ? 422 : 401);
      }
    }
  });

  test('are found where one path could be read as another’s parameter', async () => {
    const created = await service.call(organisation.writeKey, 'POST', '/api/projects', { name: 'stack' });
    const path = `/api/projects/${textAt(created.body, 'id')}/tech-stack/sync`;
    const synced = await service.call(organisation.writeKey, 'POST', path, {
      source: 'package-lock.json',
      packages: [],
    });
    expect(synced.status).toBe(200);
    expect(synced.headers.has('allow')).toBe(false);
    const wrong = await service.call(organisation.writeKey, 'PUT', path, {});
    expect(wrong.headers.get('allow')?.split(', ').sort()).toEqual(['DELETE', 'PATCH', 'POST']);
  });

  test.each(['/api', '/api/', '/api/nothing', '/api/projects/', '/api/Projects', '/api/org/x/y'])(
    'know no %s',
    async (path) => {
      const answer = await service.call(organisation.readKey, 'GET', path);
      expect(answer.status).toBe(404);
      expect(answer.headers.get('content-type')).toContain('application/problem+json');
      expect(answer.body).toMatchObject({ code: 'not_found', resource: 'route' });
    },
  );

  test('name the methods of a path in Allow', async () => {
    const answer = await service.call(organisation.readKey, 'DELETE', '/api/projects');
    expect(answer.body).toMatchObject({ status: 405, code: 'method_not_allowed' });
    expect(answer.headers.get('allow')).toBe('GET, POST, HEAD');
    const allowed = await service.call(organisation.readKey, 'GET', '/api/projects');
    expect(allowed.headers.has('allow')).toBe(false);
  });

  test('answer HEAD as GET, without the body', async () => {
    const response = await fetch(`${service.url}/api/org`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${organisation.readKey}` },
    });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('');
  });

  test('reject a path that does not decode', async () => {
    const answer = await service.call(organisation.readKey, 'GET', '/api/projects/%ff');
    expect(answer.body).toMatchObject({ status: 400, code: 'malformed_request' });
  });

  test('show whether the database answers', async () => {
    expect(await service.call(null, 'GET', '/api/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
  });
});

describe('every answer', () => {
  test('is not to be stored, sniffed or revalidated by body', async () => {
    for (const path of ['/api/projects', '/api/nothing']) {
      const { headers } = await service.call(organisation.readKey, 'GET', path);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.has('etag')).toBe(false);
      expect(headers.has('x-powered-by')).toBe(false);
    }
  });

  test('has a request id: the caller’s where it is plain, else a new one', async () => {
    for (const plain of ['trace.1-a_B', 'x'.repeat(64)]) {
      const { headers } = await service.call(organisation.readKey, 'GET', '/api/projects', undefined, {
        'x-request-id': plain,
      });
      expect(headers.get('x-request-id')).toBe(plain);
    }
    for (const odd of ['with space', '"quoted"', 'x'.repeat(65), '{"json":1}']) {
      const { headers } = await service.call(organisation.readKey, 'GET', '/api/projects', undefined, {
        'x-request-id': odd,
      });
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
  });
});

describe('inputs', () => {
  test('that miss or misspell a field get 422 that names it and the valid ones', async () => {
    const answer = await service.call(organisation.writeKey, 'POST', '/api/projects', { nmae: 'x', exposure: 'moon' });
    expect(answer.status).toBe(422);
    expect(at(answer.body, 'errors')).toEqual(
      expect.arrayContaining([
        { field: 'name', message: 'is required (string)' },
        { field: 'nmae', message: 'is not known; it takes name, description, exposure, repo, group' },
        { field: 'exposure', message: expect.stringContaining('"internet"|"internal"') },
      ]),
    );
  });

  test('of the query are held to the same', async () => {
    const answer = await service.call(organisation.readKey, 'GET', '/api/projects?pagesize=5');
    expect(answer.body).toMatchObject({
      status: 422,
      errors: [
        {
          field: 'pagesize',
          message:
            'is not known; it takes group, sort, since, changed_since, page_size, never_scanned, cursor, cursors, page',
        },
      ],
    });
  });

  test.each([
    ['page=0', 'page'],
    ['page=x', 'page'],
    ['page_size=101', 'page_size'],
    ['page=1&page=2', 'page'],
    ['page=1.5', 'page'],
  ])('of paging are checked: %s', async (query, field) => {
    const answer = await service.call(organisation.readKey, 'GET', `/api/projects?${query}`);
    expect(answer.status).toBe(422);
    expect(at(answer.body, 'errors.0.field')).toBe(field);
  });

  test('that reach beyond 10,000 rows are rejected with advice, up to it they are not', async () => {
    const beyond = await service.call(organisation.readKey, 'GET', '/api/org/audit-log?page=101&page_size=100');
    expect(beyond.body).toMatchObject({
      status: 422,
      errors: [{ field: 'page', message: expect.stringContaining('narrow the list with a filter') }],
    });
    const upTo = await service.call(organisation.readKey, 'GET', '/api/org/audit-log?page=100&page_size=100');
    expect(upTo).toMatchObject({ status: 200, body: { items: [], page: 100, has_more: false } });
  });

  test('that the database cannot hold get 422, not 500', async () => {
    const answer = await service.call(organisation.readKey, 'GET', '/api/org/audit-log?actor=a%00b');
    expect(answer.body).toMatchObject({ status: 422, errors: [{ field: 'actor' }] });
  });

  test('cannot name another path’s id in the body', async () => {
    const mine = await service.call(organisation.writeKey, 'POST', '/api/projects', { name: 'mine' });
    const other = await service.call(organisation.writeKey, 'POST', '/api/projects', { name: 'other' });
    const path = `/api/projects/${textAt(mine.body, 'id')}`;
    const body = { project_id: textAt(other.body, 'id'), name: 'renamed' };
    const answer = await service.call(organisation.writeKey, 'PATCH', path, body);
    expect(at(answer.body, 'id')).toBe(textAt(mine.body, 'id'));
  });
});

describe('callers', () => {
  test('with a read-only key may not write', async () => {
    const answer = await service.call(organisation.readKey, 'POST', '/api/projects', { name: 'x' });
    expect(answer.body).toMatchObject({ status: 403, code: 'forbidden', detail: 'this API key is read-only' });
  });

  test.each([
    ['GET', '/api/org/api-keys'],
    ['POST', '/api/org/api-keys'],
    ['PATCH', '/api/org'],
    ['POST', '/api/org/invites'],
    ['DELETE', '/api/org/members/x'],
  ])('that are no admins may not %s %s', async (method, path) => {
    for (const credential of [organisation.readKey, organisation.writeKey, organisation.member.session]) {
      const answer = await service.call(
        credential,
        method,
        path,
        method === 'GET' || method === 'DELETE' ? undefined : {},
      );
      expect(answer.body).toMatchObject({ status: 403, code: 'forbidden' });
    }
  });

  test('with a key cannot end a session', async () => {
    const answer = await service.call(organisation.writeKey, 'DELETE', '/api/session');
    expect(answer.body).toMatchObject({ status: 403, code: 'forbidden' });
  });
});

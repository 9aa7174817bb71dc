import { BaseResolver, createConfig, lintDocument, makeDocumentFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { methodOf, pathsOf } from '../../../src/shared/http/request-parts.js';
import { at } from '../../support/at.js';
import { startService, type TestService } from '../../support/service.js';
import { everyRequest } from '../../support/upstream.js';

let service: TestService;
let text: string;
let document: unknown;
beforeAll(async () => {
  service = await startService();
  const answer = await fetch(`${service.url}/openapi.json`);
  text = await answer.text();
  document = JSON.parse(text);
});
afterAll(() => service.close());

/** A part of the document by the names on its way, which may have dots. */
const part = (...names: string[]) => names.reduce<unknown>((value, name) => Object(value)[name], document);

describe('the OpenAPI document', () => {
  test('is valid by the schema of OpenAPI 3.1', async () => {
    const validator = new Validator();
    expect(await validator.validate(JSON.parse(text))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  test('is valid by the rules of Redocly, examples included', async () => {
    const config = await createConfig({
      extends: ['recommended-strict'],
      rules: {
        // What cannot be wrong about a request answers no 4xx.
        'operation-4xx-response': 'off',
        // Names of groups and things stand side by side: /alerts/{alert_id} and /alerts/acknowledge take different methods.
        'no-ambiguous-paths': 'off',
        // The server is the one that the document is from.
        'no-server-example.com': 'error',
      },
    });
    const source = makeDocumentFromString(text, 'openapi.json');
    const problems = await lintDocument({ document: source, config, externalRefResolver: new BaseResolver() });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
  });

  test('has an operation for each path of each procedure, and health', () => {
    const expected = everyRequest.flatMap(([, procedure]) =>
      pathsOf(procedure).map((path) => `${methodOf(procedure)} ${path}`),
    );
    const described = Object.entries(Object(part('paths'))).flatMap(([path, methods]) =>
      Object.keys(Object(methods)).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.sort()).toEqual([...expected, 'GET /api/healthz'].sort());
  });

  test.each(everyRequest)('%s is answered where it says, to those whom it says', async (_name, procedure) => {
    for (const path of pathsOf(procedure)) {
      const operation = part('paths', path, methodOf(procedure).toLowerCase());
      const answer = await service.call(
        null,
        methodOf(procedure),
        path.replace(/\{\w+\}/g, 'x'),
        procedure.access === 'read' ? undefined : { colour: 'red' },
      );
      // Without a credential: refused for that alone, or for the input where none is needed; answered what takes no input.
      const takesNone = procedure.access === 'read';
      expect(answer.status).toBe(procedure.public ? (takesNone ? 200 : 422) : 401);
      expect(Object.keys(Object(at(operation, 'responses')))).toContain(String(answer.status));
      expect(at(operation, 'security')).toEqual(procedure.public ? [] : undefined);
    }
  });

  test('is asked for without a credential, compressed, and again only where it has changed', async () => {
    const first = await fetch(`${service.url}/openapi.json`, { headers: { 'accept-encoding': 'gzip' } });
    expect([first.status, first.headers.get('content-type'), first.headers.get('content-encoding')]).toEqual([
      200,
      'application/json; charset=utf-8',
      'gzip',
    ]);
    expect(await first.text()).toBe(text);
    const again = await request(service.url)
      .get('/openapi.json')
      .set({ 'accept-encoding': 'gzip', 'if-none-match': first.headers.get('etag') ?? '' });
    expect([again.status, again.text]).toEqual([304, '']);
  });
});

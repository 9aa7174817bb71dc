import { parse } from 'node:querystring';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Procedure } from '../../src/procedures/define.js';
import {
  fromRequest,
  pathsOf,
  type ReceivedParts,
  type RequestParts,
  toRequest,
} from '../../src/shared/http/request-parts.js';
import { everyRequest, listsOfAll } from '../support/upstream.js';
import { arbitraryInput } from './arbitrary-input.js';

/** What an HTTP framework hands over after the request has travelled: text and JSON. */
function receive(procedure: Procedure, { path, query, body }: RequestParts): ReceivedParts {
  const { pathname, searchParams } = new URL(
    `http://service${path}?${new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]))}`,
  );
  const [template = ''] = pathsOf(procedure).filter((each) => each.split('/').length === pathname.split('/').length);
  const names = Array.from(template.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
  const matched = new RegExp(`^${template.replace(/\{\w+\}/g, '([^/]+)')}$`).exec(pathname);
  expect(matched).not.toBeNull();
  return {
    path: Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(matched?.[index + 1] ?? '')])),
    query: { ...parse(searchParams.toString()) },
    body: body === undefined ? undefined : JSON.parse(JSON.stringify(body)),
  };
}

describe('an input comes back from its request as it was', () => {
  test.each(everyRequest)('%s', (_path, procedure) => {
    fc.assert(
      fc.property(arbitraryInput(procedure.input), (input) => {
        const received = fromRequest(procedure, receive(procedure, toRequest(procedure, input)));
        expect(procedure.input.safeParse(received).success).toBe(true);
        expect(received).toEqual(JSON.parse(JSON.stringify(input)));
      }),
      { numRuns: 60 },
    );
  });
});

describe('a list over all projects', () => {
  const lists = listsOfAll.map(({ path, procedure, everywhere }) => [path, procedure, everywhere] as const);

  test('is what a list is whose project may be left out, and each procedure has a path where it may', () => {
    const optional = everyRequest.filter(
      ([, { http, input }]) =>
        http.includes('{project_id}') && input.shape['project_id']?.safeParse(undefined).success === true,
    );
    expect(lists.length).toBeGreaterThan(10);
    const withPath = everyRequest.filter(([, { everywhere }]) => everywhere !== undefined);
    expect(withPath.map(([path]) => path)).toEqual(optional.map(([path]) => path));
    for (const [, { http, everywhere }] of withPath)
      expect(everywhere).toBe(http.replace('/projects/{project_id}', ''));
  });

  test.each(lists)('%s has a path of its own, without values in it', (_path, procedure, everywhere) => {
    expect(toRequest(procedure, { page: 2 })).toMatchObject({
      path: everywhere.slice('GET '.length),
      query: [['page', '2']],
    });
    expect(toRequest(procedure, { project_id: 'p' }).path).toBe(
      procedure.http.slice('GET '.length).replace('{project_id}', 'p'),
    );
  });
});

describe('a path value stays one segment', () => {
  const procedure = { http: 'GET /api/projects/{project_id}/alerts/{alert_id}' } as const;

  test.each(['..', '.', ''])('%j is refused', (value) => {
    expect(() => toRequest(procedure, { project_id: value, alert_id: 'a' })).toThrow(
      'project_id cannot be a path segment',
    );
    expect(() => toRequest(procedure, { project_id: 'p', alert_id: value })).toThrow(
      'alert_id cannot be a path segment',
    );
  });

  test.each([7, null, undefined, {}])('%j, which is no text, is refused', (value) => {
    expect(() => toRequest(procedure, { project_id: value, alert_id: 'a' })).toThrow(TypeError);
  });

  test.each([
    'a/../b',
    '../..',
    '%2e%2e',
    '%2E',
    '..%2f',
    'a/b',
    'a\\..\\b',
    'a?x=1',
    'a#x',
    ' ',
    '\n',
    'ü',
    'x'.repeat(10_000),
  ])('%j reaches the service as that one value', (value) => {
    const { pathname, search, hash } = new URL(
      `http://service${toRequest(procedure, { project_id: value, alert_id: 'a' }).path}`,
    );
    const segments = pathname.split('/');
    expect(segments).toHaveLength(6);
    expect(decodeURIComponent(segments[3] ?? '')).toBe(value);
    expect(search + hash).toBe('');
  });

  test('any text at all', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (value) => {
        fc.pre(value !== '.' && value !== '..');
        const { pathname } = new URL(
          `http://service${toRequest(procedure, { project_id: value, alert_id: 'a' }).path}`,
        );
        expect(pathname.split('/').map(decodeURIComponent)).toEqual(['', 'api', 'projects', value, 'alerts', 'a']);
      }),
    );
  });
});

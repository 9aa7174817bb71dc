import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { operations, publicPaths } from '../../prove/operations/index.js';
import { operatorRequests } from '../../prove/sections/operator.js';
import { isComposite } from '../../src/procedures/define.js';
import { root } from '../support/build.js';
import { everyProcedure } from '../support/upstream.js';

describe('the table of operations that the proof tries', () => {
  test('has a row for each procedure, and no other', () => {
    const inTable = [...operations.map(({ path }) => path), ...publicPaths];
    expect(inTable.toSorted()).toEqual(everyProcedure.map(([path]) => path).toSorted());
  });

  test('knows which ones need no credential', () => {
    const found = everyProcedure.filter(([, { public: isPublic }]) => isPublic).map(([path]) => path);
    expect(found.toSorted()).toEqual(publicPaths.toSorted());
  });

  test.each(everyProcedure.filter(([path]) => !publicPaths.includes(path)))(
    '%s is at the doors that it says',
    (path, procedure) => {
      const row = operations.find((operation) => operation.path === path);
      expect(row?.tool).toBe(procedure.tool);
      expect(row?.http).toBe(isComposite(procedure) ? undefined : procedure.http);
      expect(row?.everywhere).toBe(isComposite(procedure) ? undefined : procedure.everywhere);
      expect(row?.bodyKey).toBe(isComposite(procedure) ? undefined : procedure.body);
    },
  );
});

test('the proof tries each route of the operator with every other credential', () => {
  const service = path.join(root, 'src/service');
  const files = readdirSync(service, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\/operator-routes?\.ts$|^operator\/routes\.ts$/.test(name),
  );
  expect(files).toHaveLength(3);
  const source = files.map((name) => readFileSync(path.join(service, name), 'utf8')).join('\n');
  const routes = source.matchAll(/(?:http: '|method: ')([A-Z]+)(?: \/api\/operator|',\s+path: ')(\/[^']+)'/g);
  const found = [...routes].map(([, method, rest = '']) => `${method} ${rest.replaceAll(/\{\w+\}/g, '*')}`);
  expect(found.length).toBeGreaterThan(7);
  const tried = operatorRequests.map(({ method, path: asked, body }) => {
    const rest = asked
      .replace('/api/operator', '')
      .replace(/\?.*/, '')
      .replace(/\/(?:org_any|osv)$/, '/*');
    return `${method ?? (body === undefined ? 'GET' : 'POST')} ${rest}`;
  });
  expect(found.filter((route) => !tried.includes(route))).toEqual([]);
});

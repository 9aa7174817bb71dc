import { describe, expect, test } from 'vitest';
import { operations, publicPaths } from '../../prove/operations/index.js';
import { isComposite } from '../../src/procedures/define.js';
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

import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { parseInput } from '../../../src/shared/schema/parse-input.js';
import { sampleInputOf } from '../../support/sample.js';
import { everyProcedure } from '../../support/upstream.js';

const schema = z.strictObject({
  id: z.string(),
  page: z.int().min(1).default(1),
  note: z.string().optional(),
  until: z.string().nullable().optional(),
  rows: z.array(z.strictObject({ name: z.string(), scope: z.enum(['a', 'b']).default('a') })).optional(),
});

describe('null for an optional field', () => {
  test('means that it is absent: its default counts', () => {
    const input = { id: 'x', page: null, note: null, rows: [{ name: 'n', scope: null }] };
    expect(parseInput(schema, input)).toEqual({
      ok: true,
      data: { id: 'x', page: 1, rows: [{ name: 'n', scope: 'a' }] },
    });
    expect(input.page).toBeNull();
  });

  test('stays null where the field takes null', () => {
    expect(parseInput(schema, { id: 'x', until: null, note: null })).toEqual({
      ok: true,
      data: { id: 'x', page: 1, until: null },
    });
  });

  test('is an error where the field is required, and the other errors are named too', () => {
    expect(parseInput(schema, { id: null, page: null, note: 3 })).toEqual({
      ok: false,
      errors: [
        { field: 'id', message: 'is required (string)' },
        { field: 'note', message: 'expected string, received number' },
      ],
    });
  });

  test('in a list is an error: it is not left out', () => {
    expect(parseInput(schema, { id: 'x', rows: [null] })).toMatchObject({ ok: false, errors: [{ field: 'rows.0' }] });
  });

  test.each(everyProcedure)('is absent for every optional argument of %s', (_path, { input }) => {
    const required = sampleInputOf(input);
    const absent = Object.keys(input.shape).filter((key) => !(key in required));
    const nulls = Object.fromEntries(
      absent.filter((key) => !input.shape[key]?.safeParse(null).success).map((key) => [key, null]),
    );
    expect(parseInput(input, { ...required, ...nulls })).toEqual(parseInput(input, required));
  });
});

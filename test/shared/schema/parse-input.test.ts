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
        { field: 'id', message: 'is required (string)', code: 'required' },
        { field: 'note', message: 'expected string, received number', code: 'wrong_type' },
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

describe('a value of another type that can mean one thing alone', () => {
  const form = z.strictObject({
    page: z.int().min(1).optional(),
    share: z.number().optional(),
    open: z.boolean().optional(),
    tier: z.enum(['RED', 'GREEN']).optional(),
    verdict: z.enum(['NotExploitable', 'Exploitable']).optional(),
    ids: z.array(z.string()).optional(),
    tiers: z.array(z.enum(['RED', 'GREEN'])).optional(),
    pages: z.array(z.int()).optional(),
  });

  test.each([
    [{ page: '5' }, { page: 5 }],
    [{ page: ' 12 ' }, { page: 12 }],
    [{ share: '0.5' }, { share: 0.5 }],
    [{ open: 'true' }, { open: true }],
    [{ open: 'False' }, { open: false }],
    [{ tier: 'red' }, { tier: 'RED' }],
    [{ ids: 'a' }, { ids: ['a'] }],
    [{ tiers: 'green' }, { tiers: ['GREEN'] }],
    [{ tiers: ['red', 'GREEN'] }, { tiers: ['RED', 'GREEN'] }],
    [{ pages: '7' }, { pages: [7] }],
    [
      { page: '5', open: 'true', tier: null },
      { page: 5, open: true },
    ],
  ])('%j counts as %j', (input, data) => {
    expect(parseInput(form, input)).toEqual({ ok: true, data });
  });

  test.each([
    { page: '5x' },
    { page: '' },
    { page: '1e3' },
    { page: '0' },
    { page: '1.5' },
    { page: true },
    { open: 'yes' },
    { open: 'constructor' },
    { open: 1 },
    { tier: 'amber' },
    { verdict: 'exploitable' },
    { tier: ['RED'] },
    { ids: { a: 1 } },
    { ids: 7 },
    { tiers: '' },
  ])('%j stays an error', (input) => {
    expect(parseInput(form, input)).toMatchObject({
      ok: false,
      errors: [{ field: expect.stringMatching(/^(page|open|tier|verdict|ids|tiers)/) }],
    });
  });

  test('in a document that a program has written is an error', () => {
    const report = z.strictObject({ report: z.strictObject({ runs: z.array(z.strictObject({ line: z.int() })) }) });
    expect(parseInput(report, { report: { runs: [{ line: '5' }] } })).toMatchObject({ ok: false });
  });
});

describe('what is wrong with a field has a code', () => {
  const form = z.strictObject({
    name: z.string().trim().min(1, { error: 'must not be blank', abort: true }).max(5),
    kind: z.enum(['a', 'b']),
    mail: z.email(),
    tags: z.array(z.string()).max(1),
    date: z.union([z.iso.date(), z.iso.datetime()]),
  });
  const right = { name: 'n', kind: 'a', mail: 'ada@example.com', tags: [], date: '2026-03-04' };

  test.each([
    ['name', undefined, 'required'],
    ['name', 7, 'wrong_type'],
    ['name', ' ', 'too_small'],
    ['name', 'longer', 'too_large'],
    ['tags', ['x', 'y'], 'too_large'],
    ['kind', 'c', 'not_one_of'],
    ['mail', 'ada', 'wrong_format'],
    ['date', 'today', 'invalid'],
    ['colour', 'red', 'not_known'],
  ])('%s: %j is %s', (field, value, code) => {
    expect(parseInput(form, { ...right, [field]: value })).toMatchObject({ ok: false, errors: [{ field, code }] });
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { shapeFault } from '../../../src/gateway/upstream/outcome.js';
import { createReadWire } from '../../../src/gateway/upstream/request.js';
import { compileReader, misfit } from '../../../src/gateway/upstream/wire-reader.js';
import type { AnyProcedure } from '../../../src/procedures/define.js';
import { procedures } from '../../../src/procedures/index.js';
import { timestamp } from '../../../src/procedures/wire.js';
import { arbitraryBody, arbitraryOf } from '../../support/arbitrary-answer.js';
import { everyProcedure } from '../../support/upstream.js';

const readWire = createReadWire(procedures);

/** JSON text of what was read, or what is wrong. */
function outcomeOf(read: z.ZodSafeParseResult<unknown>): unknown {
  return read.success ? JSON.stringify(read.data) : shapeFault(read.error);
}

function readByZod({ output }: AnyProcedure, body: unknown): unknown {
  const decoded = z.safeParse(output, body);
  return outcomeOf(decoded.success ? z.safeEncode(output, decoded.data) : decoded);
}

describe('an answer is read as zod decodes and encodes it, or refused with the same fault', () => {
  test.each(everyProcedure)('%s', (_path, procedure) => {
    fc.assert(
      fc.property(arbitraryBody(procedure.output), (body) => {
        const before = JSON.stringify(body);
        expect(outcomeOf(readWire(procedure, body))).toEqual(readByZod(procedure, body));
        expect(JSON.stringify(body)).toBe(before);
      }),
    );
  });
});

describe('a valid answer is read in one pass, and not copied where it is in wire form', () => {
  const closed = everyProcedure.filter(([, { output }]) => output.def.catchall === undefined);

  test.each(closed)('%s', (_path, { output }) => {
    const read = compileReader(output);
    fc.assert(
      fc.property(arbitraryOf(output), (valid) => {
        const given: unknown = JSON.parse(JSON.stringify(valid));
        const body: unknown = JSON.parse(JSON.stringify(z.encode(output, z.decode(output, Object(given)))));
        expect(read(body)).toBe(body);
        if (!JSON.stringify(given).includes('"__proto__"')) expect(read(given)).toEqual(body);
      }),
    );
  });

  test('a document with fields of any name, after those of the schema', () => {
    const read = compileReader(procedures.intelligence.getSbomDocument.output);
    const document = { bomFormat: 'CycloneDX', specVersion: '1.6', components: [{ name: 'a' }] };
    expect(read(document)).toBe(document);
    expect(read({ version: 1, ...document })).toBe(misfit);
  });
});

test('a field that is undefined is absent, as an answer of the same process may have it', () => {
  const read = compileReader(
    z.object({ a: z.string(), b: z.string().optional(), c: z.object({ d: z.int().optional() }) }),
  );
  const given = { a: 'x', b: undefined, c: { d: undefined } };
  const wire = read(given);
  expect(JSON.stringify(wire)).toBe('{"a":"x","c":{}}');
  expect(Object.keys(Object(wire))).toEqual(['a', 'c']);
  expect(given).toStrictEqual({ a: 'x', b: undefined, c: { d: undefined } });
  expect(read({ b: 'x', c: {}, a: undefined })).toBe(misfit);
});

describe('timestamps', () => {
  const read = compileReader(timestamp);

  test.each([
    ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T02:00:00+02:00', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T00:00:00.123456Z', '2026-01-01T00:00:00.123Z'],
    ['2024-02-29T23:59:59.999Z', '2024-02-29T23:59:59.999Z'],
  ])('%s is written as %s', (given, written) => {
    expect(read(given)).toBe(written);
  });

  test.each([
    '2026-02-29T00:00:00.000Z',
    '2026-01-01T24:00:00.000Z',
    '2026-01-01 00:00:00.000Z',
    '2026-01-01',
    '2026-01-01T00:00:00.000',
    // In UTC these are in years that have no four digits.
    '0000-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    0,
    null,
  ])('%s is none', (given) => {
    expect(read(given)).toBe(misfit);
  });
});

test('a list longer than its schema allows is not accepted', () => {
  const read = compileReader(z.array(z.string()).max(2));
  expect(read(['a', 'b'])).toEqual(['a', 'b']);
  expect(read(['a', 'b', 'c'])).toBe(misfit);
});

test.each([
  ['another codec', z.codec(z.string(), z.number(), { decode: Number, encode: String })],
  ['a refined object', z.object({ a: z.string() }).refine(() => true)],
  ['a union without a tag', z.union([z.string(), z.number()])],
  ['a default', z.string().default('x')],
  ['a length', z.string().max(3)],
  ['a stateful pattern', z.string().regex(/x/g)],
  ['a record of numbers', z.record(z.string(), z.number())],
  ['a field that every object has', z.object({ toString: z.string() })],
])('%s has no reader, and that shows at the start', (_kind, schema) => {
  expect(() => compileReader(schema)).toThrow('no reader');
});

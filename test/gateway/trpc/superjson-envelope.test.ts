import fc from 'fast-check';
import superjson from 'superjson';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createToEnvelope } from '../../../src/gateway/trpc/superjson-envelope.js';
import { defineProcedure } from '../../../src/procedures/define.js';
import { procedures } from '../../../src/procedures/index.js';
import { timestamp } from '../../../src/procedures/wire.js';
import { arbitraryOf } from '../../support/arbitrary-answer.js';
import { sampleOf } from '../../support/sample.js';
import { everyProcedure } from '../../support/upstream.js';

const toEnvelope = createToEnvelope(procedures);

/** What a function gives, or the message of its error. */
function outcomeOf(make: () => string): string {
  try {
    return make();
  } catch (error) {
    return `refused: ${String(error)}`;
  }
}

describe('the text is what superjson makes of the answer with dates', () => {
  test.each(everyProcedure)('%s', (_path, procedure) => {
    fc.assert(
      fc.property(arbitraryOf(procedure.output), (valid) => {
        const value = z.decode(procedure.output, JSON.parse(JSON.stringify(valid)));
        const wire = JSON.parse(JSON.stringify(z.encode(procedure.output, value)));
        expect(outcomeOf(() => toEnvelope(procedure, wire))).toBe(outcomeOf(() => superjson.stringify(value)));
      }),
    );
  });
});

test('dates anywhere, under keys that superjson and JSON escape', () => {
  const at = { at: timestamp.nullable() };
  const procedure = defineProcedure({
    access: 'read',
    http: 'GET /api/x',
    title: '',
    description: '',
    input: z.object({}),
    output: z.object({
      'a.b': timestamp,
      'back\\slash': timestamp,
      'quo"te': z.object({ '': timestamp }),
      rows: z.array(z.array(z.object({ at: timestamp.optional() }).nullable())),
      days: z.array(timestamp.nullable()),
      either: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('a'), a: timestamp }),
        z.object({ kind: z.literal('b'), b: z.object(at) }),
      ]),
    }),
  });
  const day = '2026-01-01T00:00:00.000Z';
  for (const either of [
    { kind: 'a', a: day },
    { kind: 'b', b: { at: day } },
    { kind: 'b', b: { at: null } },
  ]) {
    const wire = {
      'a.b': day,
      'back\\slash': day,
      'quo"te': { '': day },
      rows: [[], [{ at: day }, {}, null], [{ at: day }]],
      days: [null, day, day],
      either,
    };
    const text = toEnvelope(procedure, wire);
    expect(text).toBe(superjson.stringify(z.decode(procedure.output, JSON.parse(JSON.stringify(wire)))));
    expect(z.encode(procedure.output, superjson.parse(text))).toEqual(wire);
  }
});

test('a negative zero is a zero', () => {
  const procedure = procedures.alerts.get;
  const wire = { ...Object(sampleOf(procedure.output)), cvss: { version: '3.1', score: -0, vector: '' } };
  expect(toEnvelope(procedure, wire)).toContain('"score":0,');
});

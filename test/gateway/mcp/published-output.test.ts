import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { publishedOutput } from '../../../src/gateway/mcp/published-output.js';

describe('an answer is published', () => {
  const published = (schema: z.ZodObject, access: 'read' | 'write' | 'destructive' = 'read') =>
    publishedOutput(z.toJSONSchema(schema, { io: 'input' }), access);
  const row = z.object({ id: z.string(), note: z.string().nullable(), left: z.object({ at: z.string() }).optional() });

  test('with the fields of its rows where it begins with a list, and without what repeats the input', () => {
    const list = z.object({ items: z.array(row), page: z.int(), has_more: z.boolean(), more: z.array(row) });
    expect(published(list)).toEqual({
      type: 'object',
      properties: {
        items: {
          type: 'array',
          items: {
            type: 'object',
            properties: { id: { type: 'string' }, note: {}, left: { type: 'object' } },
            required: ['id', 'note'],
          },
        },
        has_more: { type: 'boolean' },
        more: { type: 'array', items: { type: 'object' } },
      },
      required: ['items', 'has_more', 'more'],
    });
  });

  test('of a writing tool with what the next call needs, or with all where there is nothing of that kind', () => {
    const written = z.object({ id: z.string(), name: z.string(), alert_id: z.string(), revision: z.int() });
    expect(published(written, 'write').required).toEqual(['id', 'alert_id', 'revision']);
    expect(published(written, 'destructive').required).toEqual(['id', 'alert_id', 'revision']);
    expect(published(z.object({ added: z.int() }), 'write').required).toEqual(['added']);
  });

  test('of a union with what its members share', () => {
    const either = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('a') }),
      z.object({ kind: z.literal('b') }),
    ]);
    expect(published(z.object({ items: z.array(either) })).properties).toEqual({
      items: { type: 'array', items: { type: 'object' } },
    });
  });
});

import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { publishedInput } from '../../../src/gateway/mcp/published-input.js';

describe('an input is published', () => {
  const published = (schema: z.ZodObject) => publishedInput(z.toJSONSchema(schema, { io: 'input' }));

  test('without what only the server checks; bounds and defaults are words', () => {
    const schema = z.strictObject({
      name: z.string().min(3).max(9).regex(/^a/).describe('a name'),
      size: z.int().min(1).max(100).default(25),
      days: z.int().max(90).default(7).describe('of a window'),
      page: z.int().min(1).default(1),
      events: z
        .array(z.enum(['a', 'b', 'c']))
        .min(1)
        .max(3)
        .default(['a', 'b']),
      force: z.boolean().default(false),
      at: z.union([z.iso.datetime(), z.iso.date()]).nullable().optional().describe('null: never'),
    });
    expect(published(schema)).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', description: 'a name' },
        size: { type: 'integer', description: 'max 100, default 25' },
        days: { type: 'integer', description: 'of a window, max 90, default 7' },
        page: { type: 'integer' },
        events: { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] }, description: 'default a, b' },
        force: { type: 'boolean' },
        at: { type: 'string', description: 'null: never' },
      },
      required: ['name'],
      additionalProperties: false,
    });
  });

  test.each([
    ['a union of types', z.union([z.string(), z.int()])],
    ['a value of any type', z.unknown()],
    ['only null', z.null()],
  ])('not with %s, which no dialect could say', (_name, field) => {
    expect(() => published(z.strictObject({ field }))).toThrow(/^an input/);
  });
});

import { spawnSync } from 'node:child_process';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { publishedInput } from '../../src/gateway/published-input.js';
import { publishedOutput } from '../../src/gateway/published-output.js';
import { createToolCatalogue } from '../../src/gateway/tool-catalogue.js';
import { procedures } from '../../src/procedures/index.js';
import { sampleInputOf } from '../support/sample.js';
import { sampleAnswerOf } from '../support/sample-answer.js';

const { tools, byName } = createToolCatalogue(procedures, () => true);

/**
 * Keywords that each dialect takes in the parameters of a function. OpenAI's strict mode knows no `default` and, for some models,
 * no bounds of texts. Gemini's schema has no `const`, `additionalProperties` are dropped by its clients, and Vertex takes no
 * `anyOf` without a `type`. Anthropic's strict mode knows no bounds. A keyword that one of them lacks is in none of our schemas.
 */
const dialects: Readonly<Record<string, readonly string[]>> = {
  'OpenAI strict': [
    ...['type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'description', 'anyOf', 'const'],
    ...['pattern', 'format', 'multipleOf', 'maximum', 'minimum', 'minItems', 'maxItems'],
  ],
  Gemini: [
    ...['type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'description', 'nullable'],
    ...['format', 'maximum', 'minimum', 'minItems', 'maxItems', 'minLength', 'maxLength', 'pattern', 'default'],
  ],
  'Anthropic strict': [
    ...['type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'description', 'anyOf', 'const'],
    ...['format', 'default', '$ref', '$defs', 'allOf'],
  ],
};

const node = z.looseObject({
  type: z.string().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  items: z.unknown().optional(),
  enum: z.array(z.string()).optional(),
});

/** Every schema in a schema. Fails for one that is no object, as `true` is, or whose type is not a single word. */
function nodesOf(schema: unknown): z.infer<typeof node>[] {
  const each = node.parse(schema);
  const inner = [...Object.values(each.properties ?? {}), ...(each.items === undefined ? [] : [each.items])];
  return [each, ...inner.flatMap(nodesOf)];
}

function depthOf(schema: unknown): number {
  const { properties = {}, items } = node.parse(schema);
  return 1 + Math.max(0, ...[...Object.values(properties), ...(items === undefined ? [] : [items])].map(depthOf));
}

describe.each(tools)('the input of $name', ({ name, description, inputSchema }) => {
  const nodes = nodesOf(inputSchema);

  test.each(Object.entries(dialects))('has no keyword that %s does not know', (_dialect, keywords) => {
    const used = new Set(nodes.flatMap((each) => Object.keys(each)));
    expect([...used].filter((keyword) => !keywords.includes(keyword))).toEqual([]);
  });

  test('has no pattern and no format, so that no regular expression engine has to know ours', () => {
    expect(nodes.filter((each) => 'pattern' in each || 'format' in each)).toEqual([]);
  });

  test('says of each value one type, of each list its items, and of each object all its fields', () => {
    expect(inputSchema.type).toBe('object');
    for (const { type, items, properties, required = [], enum: values, additionalProperties } of nodes) {
      expect(['object', 'array', 'string', 'integer', 'number', 'boolean']).toContain(type);
      expect(items !== undefined).toBe(type === 'array');
      expect(properties !== undefined && additionalProperties === false).toBe(type === 'object');
      expect(Object.keys(properties ?? {})).toEqual(expect.arrayContaining(required));
      if (values !== undefined) expect(type).toBe('string');
    }
  });

  test('is within the bounds that dialects set', () => {
    const names = nodes.flatMap(({ properties = {} }) => Object.keys(properties));
    expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(names.filter((each) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(each))).toEqual([]);
    expect(names.length).toBeLessThanOrEqual(100);
    expect(depthOf(inputSchema)).toBeLessThanOrEqual(5);
    expect(description?.length).toBeLessThanOrEqual(1024);
  });
});

describe.each(tools)('the answer of $name', ({ name, outputSchema }) => {
  test('has no other keywords than types, fields and which of them are always there', () => {
    expect(outputSchema).toMatchObject({ type: 'object' });
    for (const { type: _type, properties = {}, required = [], items: _items, ...others } of nodesOf(outputSchema)) {
      expect(others).toEqual({});
      expect(Object.keys(properties)).toEqual(expect.arrayContaining(required));
    }
  });

  test('has every field required that the procedure always sends', async () => {
    const procedure = byName.get(name)?.procedure;
    if (procedure === undefined) throw new Error(`${name} has no procedure`);
    const accepts = new Ajv2020().compile(Object(outputSchema));
    const answer = z.record(z.string(), z.unknown()).parse(await sampleAnswerOf(procedure));
    expect(accepts(answer)).toBe(true);
    for (const field of Object.keys(outputSchema?.['properties'] ?? {})) {
      const { [field]: _left, ...rest } = answer;
      expect(accepts(rest), field).toBe(procedure.output.shape[field] instanceof z.ZodOptional);
    }
  });
});

/** Checks schemas and values by another implementation: `[[schema, valid values, invalid values]]` on standard input. */
const pythonCheck = `
import json, sys
from jsonschema import Draft202012Validator, FormatChecker
for schema, good, bad in json.load(sys.stdin):
    Draft202012Validator.check_schema(schema, format_checker=FormatChecker())
    check = Draft202012Validator(schema, format_checker=FormatChecker())
    for value in good: check.validate(value)
    for value in bad:
        if check.is_valid(value): sys.exit('accepted: ' + json.dumps([schema, value]))
print('checked')
`;

const hasPython = spawnSync('python3', ['-c', 'import jsonschema']).status === 0;
if (!hasPython) console.log('Skipped: python3 or its module jsonschema is not installed.');

// In CI it is installed, and its absence is a failure.
test.skipIf(!hasPython && !process.env['CI'])('Python takes all schemas, and what they describe', async () => {
  const cases = await Promise.all(
    tools.flatMap(({ name, inputSchema, outputSchema }) => {
      const procedure = byName.get(name)?.procedure;
      if (procedure === undefined) throw new Error(`${name} has no procedure`);
      const input = sampleInputOf(procedure.input);
      const answer = sampleAnswerOf(procedure).then((each) => [outputSchema, [each], [{}]]);
      return [Promise.resolve([inputSchema, [input], [{ ...input, unknown: 1 }]]), answer];
    }),
  );
  const checked = spawnSync('python3', ['-I', '-c', pythonCheck], { input: JSON.stringify(cases), encoding: 'utf8' });
  expect(checked.stderr).toBe('');
  expect(checked.stdout).toBe('checked\n');
});

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

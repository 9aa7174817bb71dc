import { spawnSync } from 'node:child_process';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createToolCatalogue } from '../../../src/gateway/mcp/tool-catalogue.js';
import { procedures } from '../../../src/procedures/index.js';
import { sampleInputOf } from '../../support/sample.js';
import { sampleAnswerOf } from '../../support/sample-answer.js';

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

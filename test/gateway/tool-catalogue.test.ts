import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createToolCatalogue } from '../../src/gateway/tool-catalogue.js';
import { procedures } from '../../src/procedures/index.js';
import { toolOrder } from '../clients/tool-order.js';
import { sampleInputOf, sampleOf } from '../support/sample.js';
import { sampleAnswerOf } from '../support/sample-answer.js';
import { everyProcedure } from '../support/upstream.js';

const { tools, byName } = createToolCatalogue(procedures);
const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
const total = bytes({ tools });
/** What a client shows a model: most show no titles, hints or output schemas. */
const visible = bytes({
  tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
});

test('tools come in the specification’s order, each once', () => {
  expect(tools.map(({ name }) => name)).toEqual(toolOrder);
  expect(tools).toHaveLength(41);
});

test('the README has their number', () => {
  const readme = readFileSync(resolve(import.meta.dirname, '../../README.md'), 'utf8');
  expect(readme).toContain(`of the ${tools.length} tools`);
});

test(`tools/list keeps its budget: ${tools.length} tools in ${total} bytes, ${visible} of them for a model`, () => {
  expect(total).toBeLessThanOrEqual(45_900);
  expect(visible).toBeLessThanOrEqual(18_500);
});

/** Tools that change something, and for which once more changes nothing more. */
const repeatable = new Set([
  ...['update_project', 'update_tech_stack_item', 'update_webhook'],
  ...['acknowledge_alert', 'override_reachability_verdict'],
]);

/** Tools that send to somebody else's receiver, or make others do so. */
const reachesOthers = new Set(['add_webhook', 'update_webhook', 'test_webhook']);

describe.each(tools)('$name', ({ name, title, description, inputSchema, outputSchema, annotations }) => {
  test('has title, description, strict input and an output schema', () => {
    expect([title, description].every((text) => (text ?? '').length > 3)).toBe(true);
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(outputSchema).toMatchObject({ type: 'object' });
  });

  test('has four hints that are true of it', () => {
    const access = byName.get(name)?.procedure.access;
    expect(annotations).toEqual({
      readOnlyHint: access === 'read',
      destructiveHint: access === 'destructive',
      idempotentHint: access !== 'write' || repeatable.has(name),
      openWorldHint: reachesOthers.has(name),
    });
  });

  test('has schemas of JSON Schema 2020-12, which its inputs and answers match', async () => {
    const procedure = byName.get(name)?.procedure;
    if (procedure === undefined) throw new Error(`${name} has no procedure`);
    const ajv = addFormats.default(new Ajv2020({ strict: true, allowUnionTypes: true }));
    const matches = (schema: object, value: unknown) => {
      expect(ajv.validateSchema(schema), ajv.errorsText()).toBe(true);
      expect(ajv.validate(schema, value), ajv.errorsText()).toBe(true);
    };
    matches(inputSchema, sampleInputOf(procedure.input));
    matches(outputSchema ?? {}, sampleOf(procedure.output));
    matches(outputSchema ?? {}, await sampleAnswerOf(procedure));
  });

  test('spends no bytes on what says nothing', () => {
    const json = JSON.stringify([inputSchema, outputSchema]);
    expect(json).not.toContain('$schema');
    expect(json).not.toContain(String(Number.MAX_SAFE_INTEGER));
    expect(json).not.toMatch(/"format":"[^"]+","pattern"|"pattern":"[^"]+","format"/);
    expect(json).not.toContain('A-Za-z0-9_-');
  });
});

test('the audit log is read by action, and a model learns how one is written', () => {
  const schema = tools.find(({ name }) => name === 'get_audit_log')?.inputSchema;
  expect(schema?.properties).toMatchObject({ action: { type: 'string', description: 'such as project.create' } });
});

test('procedures without a tool are not listed', () => {
  expect(everyProcedure.filter(([, { tool }]) => tool !== undefined).length).toBeGreaterThan(tools.length);
  expect(byName.has('list_alert_history')).toBe(false);
  expect(byName.has('clear_override')).toBe(false);
});

describe('an answer’s schema', () => {
  const schema = byName.get('list_alerts')?.procedure.output ?? z.never();
  const row = JSON.stringify(tools.find(({ name }) => name === 'list_alerts')?.outputSchema);

  test('is short, and says the same', () => {
    expect(row).toContain('"tier":{"enum":["RED","YELLOW","GREEN"]}');
    expect(row).toContain('"severity":{"type":["string","null"]}');
    expect(row).toContain('"cvss":{"type":["object","null"]}');
    expect(row).not.toMatch(/anyOf|"required"|"pattern"|"format"/);
  });

  const fieldsOf = (name: string) => tools.find((tool) => tool.name === name)?.outputSchema?.['properties'] ?? {};

  test('describes the fields of an answer and of a reading tool’s rows, and does not repeat a list’s input', () => {
    expect(Object.keys(fieldsOf('list_alerts'))).toEqual(['items', 'total', 'has_more', 'coverage']);
    expect(JSON.stringify(fieldsOf('list_alerts'))).toContain('"safe_version"');
    expect(fieldsOf('acknowledge_alert')).toMatchObject({
      id: { type: 'string' },
      acknowledged: { type: ['object', 'null'] },
    });
    expect(fieldsOf('check_package')).toMatchObject({ advisories: { items: { properties: { tier: {} } } } });
    expect(fieldsOf('add_webhook')).toEqual({ webhook: { type: 'object' }, secret: { type: ['string', 'null'] } });
  });

  test('accepts what the procedure answers, and not another type', () => {
    const accepts = new Ajv2020({ allowUnionTypes: true }).compile(JSON.parse(row));
    const answer = sampleOf(schema);
    expect(accepts(answer)).toBe(true);
    expect(accepts({ ...Object(answer), total: 'many' })).toBe(false);
    expect(accepts({ ...Object(answer), items: [{ tier: 'BLUE' }] })).toBe(false);
  });
});

import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createToolCatalogue } from '../../src/gateway/tool-catalogue.js';
import { procedures } from '../../src/procedures/index.js';
import { toolOrder } from '../clients/tool-order.js';
import { sampleOf } from '../support/sample.js';
import { everyProcedure } from '../support/upstream.js';

const { tools, byName } = createToolCatalogue(procedures);
const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
const total = bytes({ tools });
const inputsOnly = bytes({ tools: tools.map(({ outputSchema: _, ...tool }) => tool) });

test('tools come in the specification’s order, each once', () => {
  expect(tools.map(({ name }) => name)).toEqual(toolOrder);
  expect(tools).toHaveLength(41);
});

test(`tools/list keeps its budget: ${tools.length} tools in ${total} bytes, ${inputsOnly} without output schemas`, () => {
  expect(total).toBeLessThanOrEqual(48_000);
  expect(inputsOnly).toBeLessThanOrEqual(28_000);
});

describe.each(tools)('$name', ({ name, title, description, inputSchema, outputSchema, annotations }) => {
  test('has title, description, strict input and an output schema', () => {
    expect([title, description].every((text) => (text ?? '').length > 3)).toBe(true);
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(outputSchema).toMatchObject({ type: 'object' });
  });

  test('has four hints that follow from its access', () => {
    const access = byName.get(name)?.procedure.access;
    expect(annotations).toEqual({
      readOnlyHint: access === 'read',
      destructiveHint: access === 'destructive',
      idempotentHint: access !== 'write',
      openWorldHint: false,
    });
  });

  test('spends no bytes on what tells nothing', () => {
    const json = JSON.stringify([inputSchema, outputSchema]);
    expect(json).not.toContain('$schema');
    expect(json).not.toContain(String(Number.MAX_SAFE_INTEGER));
    expect(json).not.toMatch(/"format":"[^"]+","pattern"|"pattern":"[^"]+","format"/);
  });
});

test('procedures without a tool are not listed', () => {
  expect(tools).toHaveLength(everyProcedure.filter(([, { tool }]) => tool !== undefined).length);
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

  test('accepts what the procedure answers, and not another type', () => {
    const accepts = new AjvJsonSchemaValidator().getValidator(JSON.parse(row));
    const answer = sampleOf(schema);
    expect(accepts(answer).valid).toBe(true);
    expect(accepts({ ...Object(answer), total: 'many' }).valid).toBe(false);
  });
});

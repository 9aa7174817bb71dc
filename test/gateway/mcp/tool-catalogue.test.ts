import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createToolCatalogue } from '../../../src/gateway/mcp/tool-catalogue.js';
import { procedures } from '../../../src/procedures/index.js';
import { toolOrder } from '../../clients/tool-order.js';
import { sampleInputOf, sampleOf } from '../../support/sample.js';
import { sampleAnswerOf } from '../../support/sample-answer.js';
import { everyProcedure } from '../../support/upstream.js';

const { tools, byName } = createToolCatalogue(procedures);
const { tools: all, byName: allByName } = createToolCatalogue(procedures, () => true);
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

test('the guide for agents has their number', () => {
  const guide = readFileSync(resolve(import.meta.dirname, '../../../docs/agents.md'), 'utf8');
  expect(guide).toContain(`of the ${tools.length} tools`);
});

test(`tools/list keeps its budget: ${tools.length} tools in ${total} bytes, ${visible} of them for a model`, () => {
  expect(total).toBeLessThanOrEqual(48_000);
  expect(visible).toBeLessThanOrEqual(20_000);
});

/** Parameters whose name, or whose list of values, says what they are. Every other one is described. */
const selfExplaining: ReadonlySet<string> = new Set([
  ...[
    'project_id',
    'group',
    'webhook_id',
    'alert_ids',
    'page',
    'cursor',
    'since',
    'changed_since',
    'until',
    'page_size',
    'name',
    'description',
    'note',
    'reason',
    'version',
    'packages',
  ],
  ...['url', 'repo', 'enabled', 'acknowledged', 'resolved', 'overridden', 'vex', 'q', 'expected_revision'],
  ...[
    'view',
    'sort',
    'never_scanned',
    'exposure',
    'usage',
    'status',
    'band',
    'tier',
    'severity',
    'verdict',
    'ecosystem',
    'scope',
    'kind',
    'events',
  ],
]);

const node = z.looseObject({
  description: z.string().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
});

/** The names of parameters without a description, also of those in a list of objects. */
function undescribed(schema: unknown): string[] {
  const { properties = {}, items } = node.parse(schema);
  const own = Object.entries(properties).flatMap(([name, each]) => [
    ...(node.parse(each).description === undefined ? [name] : []),
    ...undescribed(each),
  ]);
  return items === undefined ? own : [...own, ...undescribed(items)];
}

/** The tools that a text names. */
const toolsIn = (text: string | undefined) =>
  [...everyProcedure.flatMap(([, { tool }]) => tool ?? [])].filter((name) =>
    new RegExp(`\\b${name}\\b`).test(text ?? ''),
  );

describe('most clients show a model nothing but names, descriptions and inputs', () => {
  test.each(all)('$name says what it answers or does, in a sentence of its own', ({ title, description = '' }) => {
    expect(description).toMatch(/^[A-Z].{25,}[.]$/);
    expect(description).not.toBe(title);
    expect(all.filter((other) => other.description === description)).toHaveLength(1);
  });

  test.each(all)('$name describes each parameter whose name does not say what it is', ({ inputSchema }) => {
    expect(undescribed(inputSchema).filter((name) => !selfExplaining.has(name))).toEqual([]);
  });

  test('every name that explains itself is in use', () => {
    const names = new Set(all.flatMap(({ inputSchema }) => undescribed(inputSchema)));
    expect([...selfExplaining].filter((name) => !names.has(name))).toEqual([]);
  });

  test('a tool never names one that its list does not hold, or none at all', () => {
    for (const { name, description } of tools) {
      for (const named of toolsIn(description)) expect(byName.has(named), `${name} names ${named}`).toBe(true);
    }
    // What looks like a tool in a description is one.
    const words = all.flatMap(
      ({ description = '' }) => description.match(/\b(?:get|list|find|check|sync)_[a-z_]+\b/g) ?? [],
    );
    expect(words.filter((word) => toolsIn(word).length === 0)).toEqual([]);
    expect(words.length).toBeGreaterThan(5);
  });

  const named = (name: string) => all.find((tool) => tool.name === name)?.description;

  test.each([
    ['list_alerts', 'get_alert'],
    ['list_reachability_verdicts', 'get_reachability_verdict'],
    ['list_container_images', 'get_base_image_advice'],
    ['create_project', 'sync_tech_stack'],
    ['test_webhook', 'list_webhooks'],
    ['get_project', 'get_posture_summary'],
  ])('%s says that %s comes next', (name, next) => {
    expect(toolsIn(named(name))).toContain(next);
  });
});

/** Tools that change something, and for which once more changes nothing more: test/conformance/repeated.test.ts tries it. */
const repeatable = new Set([
  ...['update_project', 'update_group', 'assign_projects', 'update_tech_stack_item', 'update_webhook'],
  ...['acknowledge_alert', 'acknowledge_alerts', 'unacknowledge_alert'],
  ...['override_reachability_verdict', 'clear_reachability_override'],
]);

/** Tools that send to somebody else's receiver, or make others do so. */
const reachesOthers = new Set(['add_webhook', 'update_webhook', 'test_webhook']);

test.each(all)('$name has four hints that are true of it', ({ name, annotations }) => {
  const access = allByName.get(name)?.procedure.access;
  expect(annotations).toEqual({
    readOnlyHint: access === 'read',
    destructiveHint: access === 'destructive',
    idempotentHint: access !== 'write' || repeatable.has(name),
    openWorldHint: reachesOthers.has(name),
  });
});

describe.each(tools)('$name', ({ name, title, description, inputSchema, outputSchema }) => {
  test('has title, description, strict input and an output schema', () => {
    expect([title, description].every((text) => (text ?? '').length > 3)).toBe(true);
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(outputSchema).toMatchObject({ type: 'object' });
  });

  test('has schemas of JSON Schema 2020-12, which its inputs and answers match', async () => {
    const procedure = byName.get(name)?.procedure;
    if (procedure === undefined) throw new Error(`${name} has no procedure`);
    const ajv = new Ajv2020({ strict: true });
    const matches = (schema: object, value: unknown) => {
      expect(ajv.validateSchema(schema), ajv.errorsText()).toBe(true);
      expect(ajv.validate(schema, value), ajv.errorsText()).toBe(true);
    };
    matches(inputSchema, sampleInputOf(procedure.input));
    matches(outputSchema ?? {}, sampleOf(procedure.output));
    matches(outputSchema ?? {}, await sampleAnswerOf(procedure));
  });
});

test('the audit log is read by action, and a model learns how one is written', () => {
  const schema = tools.find(({ name }) => name === 'get_audit_log')?.inputSchema;
  const description = 'such as project.create, or project for all of it';
  expect(schema?.properties).toMatchObject({ action: { type: 'string', description } });
});

test('procedures without a tool are not listed', () => {
  expect(everyProcedure.filter(([, { tool }]) => tool !== undefined).length).toBeGreaterThan(tools.length);
  expect(byName.has('list_alert_history')).toBe(false);
  expect(byName.has('clear_override')).toBe(false);
});

describe('an answer’s schema', () => {
  const schemaOf = (name: string) => Object(tools.find((tool) => tool.name === name)?.outputSchema);

  test('describes the fields of an answer and of a list’s rows, and does not repeat the input', () => {
    const { properties, required } = schemaOf('list_alerts');
    expect(Object.keys(properties)).toEqual(['items', 'total', 'has_more', 'next_cursor', 'as_of', 'coverage']);
    expect(required).toEqual(['items', 'total', 'has_more', 'next_cursor', 'as_of', 'coverage']);
    expect(properties.items.items.properties).toMatchObject({ tier: { type: 'string' }, safe_version: {} });
    expect(properties.items.items.required).toEqual(expect.arrayContaining(['id', 'tier', 'safe_version', 'verdict']));
    expect(properties.items.items.required).not.toContain('project');
    expect(schemaOf('get_top_risks').properties.risks.items.required).toContain('effective_priority');
  });

  test('of a change names what the next call needs', () => {
    expect(schemaOf('update_project').required).toEqual(['id', 'revision']);
    expect(schemaOf('override_reachability_verdict').required).toEqual(['id', 'project_id', 'alert_id', 'revision']);
    expect(schemaOf('add_webhook').properties).toEqual({ webhook: { type: 'object' }, secret: {} });
  });

  test('accepts what the procedure answers, and not another type', () => {
    const accepts = new Ajv2020().compile(schemaOf('list_alerts'));
    const answer = Object(sampleOf(byName.get('list_alerts')?.procedure.output ?? z.never()));
    expect(accepts(answer)).toBe(true);
    expect(accepts({ ...answer, total: 'many' })).toBe(false);
    const [{ id: _id, ...row }] = answer.items;
    expect(accepts({ ...answer, items: [row] })).toBe(false);
  });
});

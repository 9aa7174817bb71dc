import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { Procedure } from '../../../src/procedures/define.js';
import { openApiDocument } from '../../../src/service/openapi/document.js';
import { readExamples } from '../../../src/service/openapi/examples.js';
import { methodOf, pathsOf, toRequest } from '../../../src/shared/http/request-parts.js';
import { isRecord } from '../../../src/shared/json/is-record.js';
import { caseOf, credentialOf } from '../../conformance/cases.js';
import { makeWorld, type Proofs, startProofs, storeIntelligence, type World } from '../../conformance/world.js';
import { snapshotOf } from '../../conformance/world-snapshot.js';
import { textAt } from '../../support/at.js';
import { kind } from '../../support/database.js';
import { ownDatabase } from '../../support/own-database.js';
import { startService, type TestService } from '../../support/service.js';
import { everyRequest } from '../../support/upstream.js';
import { arbitraryJson } from './arbitrary-json.js';

// Requests by chance, from the document alone: some as it says, some nearly so. What is answered must be in the document too.

const response = z.looseObject({
  content: z.record(z.string(), z.looseObject({ schema: z.record(z.string(), z.unknown()) })),
  headers: z.record(z.string(), z.unknown()).optional(),
});
const parameter = z.looseObject({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean().default(false),
  schema: z.unknown(),
});
const reference = z.object({ $ref: z.string() });
const operationForm = z.looseObject({
  parameters: z.array(z.unknown()).default([]),
  requestBody: z
    .looseObject({ content: z.looseObject({ 'application/json': z.looseObject({ schema: z.unknown() }) }) })
    .optional(),
  responses: z.record(z.string(), z.unknown()),
});

/** More of them find more: FUZZ_RUNS=40 takes some minutes. On a server the routes are the same, and only its errors are its own. */
const numRuns = Number(process.env['FUZZ_RUNS'] ?? (kind === 'embedded' ? 8 : 3));

const document = openApiDocument(readExamples());

/** What a node is, or what it refers to. */
function resolved(given: unknown): unknown {
  const found = reference.safeParse(given);
  if (!found.success) return given;
  const names = found.data.$ref.slice(2).split('/');
  return names.reduce<unknown>((value, name) => Object(value)[name], document);
}

const ajv = new Ajv2020({ strict: false, allErrors: false });
formats.default(ajv);
const validators = new Map<object, ValidateFunction>();

function errorsOf(schema: Readonly<Record<string, unknown>>, value: unknown): unknown {
  const known = validators.get(schema);
  const validate = known ?? ajv.compile({ ...schema, components: document.components });
  validators.set(schema, validate);
  return validate(value) ? [] : validate.errors;
}

let service: TestService;
let proofs: Proofs;
let world: World;
let restore: () => Promise<void>;
beforeAll(async () => {
  proofs = await startProofs();
  service = await startService({ ...proofs.options, canMail: true, database: await ownDatabase() });
  world = await makeWorld(service, await storeIntelligence(service), { proofs });
  const { organisation, groupId: group } = world;
  const hook = { kind: 'generic', name: 'ours', url: 'https://webhooks.example.com/secret', group };
  const added = await service.call(organisation.writeKey, 'POST', '/api/webhooks', hook);
  world = { ...world, groupWebhookId: textAt(added.body, 'webhook.id') };
  restore = await snapshotOf(service.database, world.organisation.id);
});
afterAll(async () => {
  await service.close();
  await proofs.close();
});

const operations = everyRequest.flatMap(([name, procedure]) =>
  pathsOf(procedure).map((path) => [`${methodOf(procedure)} ${path}`, name, procedure, path] as const),
);

/** What is hostile wherever it stands. */
const hostile = fc.constantFrom<unknown>(
  null,
  '',
  ' ',
  -1,
  1e300,
  true,
  [],
  {},
  'é\u202e\0',
  "' or 1=1 --",
  '[object Object]',
);

interface Drawn {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly header: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** Requests to an operation: each part is what a good request has, what its schema says, or hostile. */
function arbitraryRequest(operation: z.output<typeof operationForm>, good: ReturnType<typeof goodRequest>) {
  const parameters = operation.parameters.map((each) => parameter.parse(resolved(each)));
  const within = (place: string, known: Readonly<Record<string, unknown>>) =>
    fc.record(
      Object.fromEntries(
        parameters
          .filter((each) => each.in === place)
          .map(({ name, schema }) => [name, near(known[name], arbitraryJson(resolved(schema)))]),
      ),
      { requiredKeys: parameters.filter((each) => each.in === place && each.required).map(({ name }) => name) },
    );
  const schema = resolved(operation.requestBody?.content['application/json'].schema);
  return fc.record({
    path: within('path', good.path),
    query: within('query', good.query),
    header: within('header', {}),
    body: schema === undefined ? fc.constant(undefined) : arbitraryBody(schema, good.body),
  });
}

function near(good: unknown, likely: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const drawn = [
    { weight: 4, arbitrary: likely },
    { weight: 1, arbitrary: hostile },
  ];
  return good === undefined ? fc.oneof(...drawn) : fc.oneof({ weight: 8, arbitrary: fc.constant(good) }, ...drawn);
}

function arbitraryBody(schema: unknown, good: unknown): fc.Arbitrary<unknown> {
  const likely = arbitraryJson(schema);
  if (!isRecord(good)) return near(good, likely);
  // A good body in which some fields are others.
  const mixed = fc
    .tuple(likely, fc.infiniteStream(fc.boolean()))
    .map(([other, takes]) =>
      isRecord(other)
        ? { ...good, ...Object.fromEntries(Object.entries(other).filter(() => takes.next().value === true)) }
        : other,
    );
  return fc.oneof({ weight: 4, arbitrary: mixed }, { weight: 1, arbitrary: near(good, likely) });
}

function goodRequest(name: string, procedure: Procedure, template: string): Drawn {
  const { input: ofProject, ofGroup = ofProject } = caseOf(name);
  const input = (procedure.everywhere?.endsWith(` ${template}`) === true ? ofGroup : ofProject)(world);
  const { query, body } = toRequest(procedure, input);
  const isSent = !['GET', 'DELETE'].includes(methodOf(procedure));
  return { path: input, query: Object.fromEntries(query), header: {}, body: isSent ? body : undefined };
}

async function send(name: string, procedure: Procedure, template: string, { path, query, header, body }: Drawn) {
  const at = template.replace(/\{(\w+)\}/g, (_, key: string) => segmentOf(path[key]));
  const search = new URLSearchParams(
    Object.fromEntries(Object.entries(query).map(([key, value]) => [key, textOf(value)])),
  );
  const headers = Object.entries(header).filter(([, value]) => /^[\x21-\x7e]+$/.test(textOf(value)));
  return fetch(`${service.url}${at}?${search}`, {
    method: methodOf(procedure),
    headers: {
      ...(!procedure.public && { authorization: `Bearer ${credentialOf(caseOf(name).as, world)}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...Object.fromEntries(headers.map(([key, value]) => [key, textOf(value)])),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A client's library refuses an empty segment, and takes dots away. */
function segmentOf(value: unknown): string {
  const text = textOf(value);
  return /^\.{0,2}$/.test(text) ? 'x' : encodeURIComponent(text);
}

/** Null may stand for an absent field, which the schema does not say. */
function withoutNulls(body: unknown): unknown {
  return isRecord(body) ? Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)) : body;
}

describe('whatever is asked', () => {
  test.each(operations)('%s answers what the document says', async (_title, name, procedure, path) => {
    const operation = operationForm.parse(Object(document.paths[path])[methodOf(procedure).toLowerCase()]);
    const bodySchema = operation.requestBody?.content['application/json'].schema;
    const statuses = new Set<number>();
    const good = goodRequest(name, procedure, path);
    await fc.assert(
      fc.asyncProperty(arbitraryRequest(operation, good), async (drawn) => {
        const answer = await send(name, procedure, path, drawn);
        const text = await answer.text();
        const { status } = answer;
        statuses.add(status);
        expect(Object.keys(operation.responses), text).toContain(String(status));
        expect(status, text).not.toBe(500);
        const { content, headers = {} } = response.parse(resolved(operation.responses[status]));
        const type = answer.headers.get('content-type')?.replace(/;.*/, '') ?? '';
        expect(Object.keys(content), text).toEqual([type]);
        const values = type === 'application/x-ndjson' ? text.split('\n').slice(0, -1) : [text];
        for (const value of values) expect(errorsOf(content[type]?.schema ?? {}, JSON.parse(value)), text).toEqual([]);
        expect(answer.headers.has('x-request-id')).toBe(true);
        if ([429, 503].includes(status))
          expect([Object.keys(headers), answer.headers.has('retry-after')]).toEqual([
            expect.arrayContaining(['Retry-After']),
            true,
          ]);
        // What is taken is as the document says.
        if (status < 300 && bodySchema !== undefined && drawn.body !== undefined) {
          const schema = z.record(z.string(), z.unknown()).parse(bodySchema);
          const forms = [drawn.body, withoutNulls(drawn.body)].map((body) => errorsOf(schema, body));
          expect(forms).toContainEqual([]);
        }
      }),
      { numRuns, examples: [[good]] },
    );
    if (procedure.access !== 'read') await restore();
    // The good one comes first.
    expect(statuses).toContain(200);
  });
});

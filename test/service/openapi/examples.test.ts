import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CapturedExamples, capturedExamples, readExamples } from '../../../src/service/openapi/examples.js';
import { bodySchema } from '../../../src/service/openapi/operation.js';
import { problemSchema } from '../../../src/service/openapi/problems.js';
import { schemaOf } from '../../../src/service/openapi/schemas.js';
import { type Proofs, startProofs } from '../../conformance/world.js';
import { ownDatabase } from '../../support/own-database.js';
import { startService, type TestService } from '../../support/service.js';
import { everyRequest } from '../../support/upstream.js';
import { captureExamples, comparable } from './capture.js';

const file = path.resolve(import.meta.dirname, '../../../src/service/openapi/examples.json');

let service: TestService;
let proofs: Proofs;
let captured: CapturedExamples;
let examples: CapturedExamples;
beforeAll(async () => {
  proofs = await startProofs();
  service = await startService({ ...proofs.options, database: await ownDatabase(), canMail: true });
  captured = capturedExamples.parse(await captureExamples(service, proofs));
  const isUpdate = process.env['UPDATE_EXAMPLES'] !== undefined;
  if (isUpdate) await writeFile(file, linesOf(captured));
  examples = isUpdate ? captured : readExamples();
});
afterAll(async () => {
  await service.close();
  await proofs.close();
});

/** A line for each exchange, so that a change shows which. */
function linesOf({ procedures, problems }: CapturedExamples): string {
  const lines = (all: object) =>
    Object.entries(all)
      .map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`)
      .join(',\n');
  return `{\n  "procedures": {\n${lines(procedures)}\n  },\n  "problems": {\n${lines(problems)}\n  }\n}\n`;
}

const ajv = new Ajv2020({ strict: false });
formats.default(ajv);

function expectValid(schema: object, value: unknown): void {
  ajv.validate(schema, value);
  expect(ajv.errors ?? []).toEqual([]);
}

const howTo = 'UPDATE_EXAMPLES=1 npx vitest run test/service/openapi/examples.test.ts writes the examples anew';

describe('the examples of the API', () => {
  test('are one for each procedure', () => {
    expect(Object.keys(examples.procedures), howTo).toEqual(everyRequest.map(([name]) => name));
  });

  test.each(everyRequest)('%s is what the service answers, and as its schema says', (name, procedure) => {
    const example = examples.procedures[name];
    expect(comparable(example), howTo).toEqual(comparable(captured.procedures[name]));
    expectValid(schemaOf(procedure.output), example?.answer);
    const body = bodySchema(procedure);
    if (body === null) expect(example?.body).toBeUndefined();
    else expectValid(body, example?.body);
  });

  test('of refusals are what it answers', () => {
    expect(Object.keys(examples.problems)).toEqual(['400', '401', '403', '404', '409', '412', '415', '422']);
    expect(comparable(examples.problems), howTo).toEqual(comparable(captured.problems));
    for (const example of Object.values(examples.problems)) expectValid(problemSchema, example);
  });

  test('hold no secret', () => {
    const text = JSON.stringify(examples);
    for (const secret of [
      /(?<!(?:sha256|commit)[":]*[0-9a-f]*)[0-9a-f]{24}/,
      /eyJ[\w-]{10}/,
      /postern_(?:live|invite|reset)_(?!example|…0000)/,
    ]) {
      expect(text).not.toMatch(secret);
    }
  });
});

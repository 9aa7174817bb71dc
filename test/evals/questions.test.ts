import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { faultsOf, isAnswerable } from '../../evals/question.js';
import { questions } from '../../evals/questions/index.js';
import { connect, reading, type Server } from '../../evals/tools.js';
import { posture } from '../../src/procedures/posture.js';
import type { Database } from '../../src/service/db/database.js';
import { firstRun } from '../../src/service/sample/first-run.js';
import { ownDatabase } from '../support/own-database.js';
import { startPostern, type TestPostern } from '../support/postern.js';
import { freshAdvisories } from '../support/published-fixes.js';
import { testSecrets } from '../support/secrets.js';

/** An agent that knows its tools needs no more. */
const most = { calls: 2, tokens: 3_000 };

let database: Database;
let postern: TestPostern;
let server: Server;
let dataDir: string;
beforeAll(async () => {
  database = await ownDatabase();
  postern = await startPostern({ database });
  dataDir = await mkdtemp(path.join(tmpdir(), 'postern-evals-'));
  const first = await firstRun({ database, secrets: testSecrets, dataDir, url: postern.url, sample: true });
  // As after a load of the feeds: the sample's own advisories do not make any version safe.
  await freshAdvisories(database);
  server = await connect(postern.url, first?.keys?.read_only ?? '');
});
afterAll(async () => {
  await server.close();
  await postern.close();
  await database.close();
  await rm(dataDir, { recursive: true });
});

describe('the shortest path', () => {
  test.for(questions)('to the answer of “$asked” is right, in few calls and tokens', async (question, { skip }) => {
    const tools = server.handOut();
    skip(!isAnswerable(question, tools.visible), `no ${question.requires}`);
    const answer = await question.walk(reading(tools));
    expect(faultsOf(question, answer), answer).toEqual([]);
    const { length: calls } = tools.calls;
    const figures = `${question.name}: ${calls} calls, ${tools.tokens()} tokens`;
    expect(calls, figures).toBeLessThanOrEqual(most.calls);
    expect(tools.tokens(), figures).toBeLessThanOrEqual(most.tokens);
  });
});

test('there are thirty, each of another name', () => {
  expect(new Set(questions.map(({ name }) => name)).size).toBe(30);
});

test('an answer that lacks a fact, or reassures, is not right', () => {
  const [exposed] = questions.filter(({ name }) => name === 'exposed');
  if (exposed === undefined) throw new Error('there is no such question');
  const faults = faultsOf(exposed, 'Web shop has log4j-core; you are not affected by the other one.');
  expect(faults).toEqual(['does not say libc6|glibc', 'does not say web-shop:1\\.8', 'says not exposed|not affected']);
});

test('the top risks name each upgrade once, with a version that closes all it claims, in few tokens', async () => {
  const tools = server.handOut();
  const fix = posture.getTopRisks.output.shape.risks.element.shape.fix;
  const risk = z.object({ domain: z.string(), project: z.object({ id: z.string() }), fix });
  const { risks } = await reading(tools)('get_top_risks', {}, z.object({ risks: z.array(risk) }));
  const ofPackages = risks.flatMap((each) =>
    each.domain === 'dependencies' ? [`${each.project.id} ${each.fix?.package}`] : [],
  );
  expect(ofPackages.toSorted()).toEqual([...new Set(ofPackages)].toSorted());
  expect(risks[0]?.fix).toMatchObject({
    package: 'org.apache.logging.log4j:log4j-core',
    steps: [{ to: '2.17.1' }],
    closes: 4,
  });
  // The ids of a run are random, and cost 1,870 to 1,930 tokens with the rest of the answer.
  expect(tools.tokens()).toBeLessThan(2_000);
});

test('a VEX comes whole, in as many parts as an agent can take', async () => {
  const tools = server.handOut();
  const shape = z.object({
    document: z.object({ vulnerabilities: z.array(z.unknown()).optional() }).nullable(),
    next_cursor: z.string().nullable(),
  });
  const ask = (more: object) =>
    reading(tools)('export_sbom', { project_id: 'Web shop', vex: true, include_document: true, ...more }, shape);
  const first = await ask({});
  let { next_cursor: cursor } = first;
  let stated = first.document?.vulnerabilities?.length ?? 0;
  while (cursor !== null) {
    const before = tools.tokens();
    const part = await ask({ cursor });
    expect(tools.tokens() - before).toBeLessThan(20_000);
    expect(part.document).not.toBeNull();
    stated += part.document?.vulnerabilities?.length ?? 0;
    cursor = part.next_cursor;
  }
  expect(stated).toBe(32);
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownDatabase } from '../support/own-database.js';
import { startPostern, type TestPostern } from '../support/postern.js';
import { receiptIssuer, testReceipts } from '../support/receipts.js';
import { startPosternProgram } from './running-postern.js';

let postern: TestPostern;
let folder: string;
let file: string;
beforeAll(async () => {
  postern = await startPostern({ database: await ownDatabase() });
  folder = await mkdtemp(path.join(tmpdir(), 'postern-verify-'));
  file = path.join(folder, 'receipt.jws');
  const signer = await testReceipts(postern.database);
  const coverage = { status: 'not_affected' as const, domains: [], feeds: [], known: true, gaps: [] };
  const question = { procedure: 'intelligence.checkPackage', input: { purl: 'pkg:npm/a@1.0.0' } };
  const statement = { question, coverage, sees_only: null, feeds: [], sources: null };
  await writeFile(file, `${await signer.sign(statement, { organisationId: 'org_1', now: new Date() })}\n`);
});
afterAll(async () => {
  await postern.close();
  await postern.database.close();
  await rm(folder, { recursive: true });
});

async function verify(...args: readonly string[]) {
  const run = startPosternProgram({}, 'verify', ...args);
  return { code: await run.ended, stdout: run.stdout(), stderr: run.stderr() };
}

const jwks = () => `${postern.url}/.well-known/jwks.json`;

test('a receipt is verified with the keys of a server, or with a copy of them', async () => {
  const good = await verify(file, '--jwks', jwks(), '--issuer', receiptIssuer);
  expect(good).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('pkg:npm/a@1.0.0') });
  const copy = path.join(folder, 'jwks.json');
  await writeFile(copy, await (await fetch(jwks())).text());
  expect(await verify(file, '--jwks', copy)).toMatchObject({ code: 0 });
});

test('one of another server is bad (1); what cannot be checked is not (2)', async () => {
  expect(await verify(file, '--jwks', jwks())).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^postern verify: it is of /),
  });
  expect(await verify(path.join(folder, 'none'))).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/cannot be read/),
  });
  expect(await verify(file, '--jwks', 'http://postern.example/jwks.json')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/takes https/),
  });
  expect(await verify()).toMatchObject({ code: 2 });
});

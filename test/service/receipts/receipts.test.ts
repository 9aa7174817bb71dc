import { createHash } from 'node:crypto';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { procedures } from '../../../src/procedures/index.js';
import { receiptClaims, receiptKeySet } from '../../../src/procedures/signed-receipt.js';
import { loadSigningKey, signsFor } from '../../../src/service/receipts/signing-key.js';
import { type TransportName, transports } from '../../conformance/transports.js';
import { at, textAt } from '../../support/at.js';
import { callTool } from '../../support/gateway.js';
import { ownDatabase } from '../../support/own-database.js';
import { startPostern, type TestPostern } from '../../support/postern.js';
import { receiptIssuer, testReceipts } from '../../support/receipts.js';
import { newWorld } from '../intelligence/exposed-world.js';
import { newProject, unique } from '../intelligence/organisation.js';
import { run, sarif } from '../scanners/sarif/sarif-report.js';
import { site, zap } from '../scanners/zap/zap-report.js';

let postern: TestPostern;
let world: Awaited<ReturnType<typeof newWorld>>;
const name = unique.name();
const fixed = { ecosystem: 'npm', name, version: '7.0.0' };
beforeAll(async () => {
  postern = await startPostern({ database: await ownDatabase() });
});
beforeEach(async () => {
  if (world !== undefined) return;
  world = await newWorld(postern, 'npm', name);
  await world.sync({ source: 'package-lock.json', packages: [{ ...fixed, direct: true }] });
});
afterAll(async () => {
  await postern.close();
  await postern.database.close();
});

const get = async (path: string, key = world.organisation.readKey) => (await postern.call(key, 'GET', path)).body;
const exposedPath = (cve: string) => `/api/intelligence/exposed?cve=${cve}&receipt=true`;
const keys = () => createRemoteJWKSet(new URL('/.well-known/jwks.json', postern.url));

/** As anybody verifies it: by jose alone, and the keys that are served. */
async function verified(receipt: unknown) {
  const { payload } = await jwtVerify(String(receipt), keys(), { issuer: receiptIssuer, algorithms: ['ES256'] });
  return receiptClaims.parse(payload);
}

describe('a receipt', () => {
  test.each(['trpc', 'mcp', 'rest'] satisfies TransportName[])('of find_exposed comes over %s', async (transport) => {
    const { findExposed } = procedures.intelligence;
    const input = { cve: world.cve, receipt: true };
    const { readKey, id } = world.organisation;
    const answered = await transports[transport](postern.url, readKey, 'intelligence.findExposed', findExposed, input);
    expect(at(answered, 'answer.coverage.status')).toBe('not_affected');
    const claims = await verified(at(answered, 'answer.receipt'));
    expect(claims).toMatchObject({
      sub: id,
      question: { procedure: 'intelligence.findExposed', input: { cve: world.cve } },
      coverage: { status: 'not_affected', gaps: [] },
      sees_only: null,
      feeds: [{ as_of: expect.any(Date), sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }],
    });
    expect(claims.sources?.map(({ domain, count }) => [domain, count])).toEqual([
      ['dependencies', 1],
      ['containers', 1],
    ]);
    expect(claims.sources?.[0]?.oldest).toMatchObject([{ project_id: world.project, source: 'package-lock.json' }]);
  });

  test('reaches an agent whole, whose usual view cuts long texts', async () => {
    const headers = { authorization: `Bearer ${world.organisation.readKey}` };
    const { structuredContent, text } = await callTool(
      postern,
      'find_exposed',
      { cve: world.cve, receipt: true },
      { headers },
    );
    await verified(at(structuredContent, 'receipt'));
    expect(String(at(structuredContent, 'receipt')).length).toBeGreaterThan(1_000);
    expect(JSON.parse(text)).toEqual(structuredContent);
  });

  test('names the packages of a lock file by a digest that anybody can compute', async () => {
    const claims = await verified(at(await get(exposedPath(world.cve)), 'receipt'));
    const expected = createHash('sha256').update(`npm\t${name}\t7.0.0`).digest('hex');
    expect(claims.sources?.[0]?.oldest[0]?.digest).toBe(expected);
  });

  test('of check_package is about no project', async () => {
    const path = `/api/intelligence/package?${new URLSearchParams({ ...fixed, receipt: 'true' })}`;
    expect(await verified(at(await get(path), 'receipt'))).toMatchObject({
      question: { procedure: 'intelligence.checkPackage', input: fixed },
      sources: null,
    });
  });

  test('of the posture is over four domains', async () => {
    const project = `/api/projects/${world.project}`;
    const { writeKey, readKey } = world.organisation;
    await postern.call(writeKey, 'POST', `${project}/sast/reports?source_repo=shop`, sarif(run([])));
    await postern.call(writeKey, 'POST', `${project}/dast/reports`, {
      ...zap(site('https://shop.example')),
      '@generated': new Date().toUTCString(),
    });
    const input = { project_id: world.project, receipt: true };
    const headers = { authorization: `Bearer ${readKey}` };
    const { structuredContent } = await callTool(postern, 'get_posture_summary', input, { headers });
    expect(at(structuredContent, 'coverage.gaps')).toEqual([]);
    const claims = await verified(at(structuredContent, 'receipt'));
    expect(claims.sources?.map(({ domain }) => domain)).toEqual(['dependencies', 'code', 'running_app', 'containers']);
    expect(claims.question.input).toEqual({ project_id: world.project });
  });

  test('is not there where none was asked for', async () => {
    const answer = await get(`/api/intelligence/exposed?cve=${world.cve}`);
    expect(Object.keys(Object(answer))).not.toContain('receipt');
  });

  test('of a caller who sees some projects alone says so', async () => {
    const other = await newProject(postern, world.organisation, 'other');
    const { body } = await postern.call(world.organisation.admin.session, 'POST', '/api/org/api-keys', {
      ...{ name: 'bound', scope: 'ReadOnly', project_ids: [world.project] },
    });
    const claims = await verified(at(await get(exposedPath(world.cve), textAt(body, 'key')), 'receipt'));
    expect(claims.sees_only).toEqual({ projects: [world.project], groups: null });
    // The other project has no stack.
    expect(await get(exposedPath(world.cve))).toMatchObject({
      receipt: null,
      no_receipt: expect.stringMatching(/unknown/),
    });
    await postern.call(world.organisation.writeKey, 'DELETE', `/api/projects/${other}`);
  });
});

describe('what is not `not_affected`', () => {
  test('has no receipt, and a reason: unknown', async () => {
    const { organisation, cve } = await newWorld(postern, 'npm', unique.name());
    const { body } = await postern.call(organisation.readKey, 'GET', exposedPath(cve));
    expect(body).toMatchObject({
      receipt: null,
      no_receipt: 'it is unknown: coverage.gaps says why; only not_affected is signed',
    });
  });

  test('has no receipt, and a reason: affected', async () => {
    const affected = unique.name();
    const other = await newWorld(postern, 'npm', affected);
    await other.sync({
      source: 'package-lock.json',
      packages: [{ ecosystem: 'npm', name: affected, version: '1.0.0', direct: true }],
    });
    const path = `/api/intelligence/package?${new URLSearchParams({ ecosystem: 'npm', name: affected, version: '1.0.0', receipt: 'true' })}`;
    expect(await get(path)).toMatchObject({
      receipt: null,
      no_receipt: expect.stringMatching(/^something is affected/),
    });
    const { structuredContent } = await callTool(
      postern,
      'get_posture_summary',
      { receipt: true },
      {
        headers: { authorization: `Bearer ${other.organisation.readKey}` },
      },
    );
    expect(structuredContent).toMatchObject({
      receipt: null,
      no_receipt: expect.stringMatching(/^something is affected/),
    });
  });
});

describe('the key', () => {
  const later = (seconds: number) => new Date(Date.now() + seconds * 1000);
  const kidOf = (receipt: unknown) => decodeProtectedHeader(String(receipt)).kid;
  const receipt = async () => at(await get(exposedPath(world.cve)), 'receipt');

  test('is the same for all services on a database, and is replaced by one who looks when it is old', async () => {
    const { database } = postern;
    const early = await receipt();
    const all = await Promise.all([1, 2, 3].map(() => loadSigningKey(database, [], new Date())));
    expect(all.map(({ id }) => id)).toEqual([1, 2, 3].map(() => kidOf(early)));
    const next = await loadSigningKey(database, [], later(signsFor + 1));
    expect(next.id).not.toBe(kidOf(early));
    expect((await loadSigningKey(database, [], later(signsFor + 2))).id).toBe(next.id);
    // The earlier public key stays: what it has signed is still good.
    await verified(early);
    const { body } = await postern.call(null, 'GET', '/api/receipts/keys');
    expect([at(body, 'keys')].flat().map((key) => at(key, 'kid'))).toEqual([next.id, kidOf(early)]);
    expect(JSON.stringify(body)).not.toContain('"d"');
  });

  test('that was withdrawn signs nothing any more', async () => {
    const { database } = postern;
    const signer = await testReceipts(database);
    const { id } = await loadSigningKey(database, [], new Date());
    await database.system((tx) => tx.deleteFrom('receipt_keys').where('id', '=', id).execute());
    await signer.renew(new Date());
    expect((await loadSigningKey(database, [], new Date())).id).not.toBe(id);
  });

  test('is public, and may be kept for a minute', async () => {
    const response = await fetch(new URL('/.well-known/jwks.json', postern.url), {
      headers: { origin: 'https://a.example' },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^application\/jwk-set\+json/);
    expect(response.headers.get('cache-control')).toBe('public, max-age=60');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(receiptKeySet.parse(await response.json()).keys.length).toBeGreaterThan(0);
  });
});

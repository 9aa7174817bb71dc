import * as z from 'zod';
import type { Procedure } from '../../../src/procedures/define.js';
import { type CapturedExamples, type Exchange, exchange } from '../../../src/service/openapi/examples.js';
import { bodySchema } from '../../../src/service/openapi/operation.js';
import { toRequest } from '../../../src/shared/http/request-parts.js';
import { caseOf, credentialOf } from '../../conformance/cases.js';
import { makeWorld, type Proofs, storeIntelligence, type World } from '../../conformance/world.js';
import { snapshotOf } from '../../conformance/world-snapshot.js';
import type { TestService } from '../../support/service.js';
import { everyRequest } from '../../support/upstream.js';

/** Sends one good request of every procedure, and some that are refused. What was written is put back each time. */
export async function captureExamples(service: TestService, proofs: Proofs): Promise<CapturedExamples> {
  const world = await makeWorld(service, await storeIntelligence(service), { proofs });
  const restore = await snapshotOf(service.database, world.organisation.id);
  const procedures: Record<string, Exchange> = {};
  for (const [name, procedure] of everyRequest) {
    const example = await exchangeOf(service, world, name, procedure);
    procedures[name] = exchange.parse(readable(world, example, proofs));
    if (procedure.access !== 'read') await restore();
  }
  return { procedures, problems: await refusals(service, world) };
}

async function exchangeOf(service: TestService, world: World, name: string, procedure: Procedure) {
  const { as, input } = caseOf(name);
  const sent = input(world);
  const { method, path, query, body } = toRequest(procedure, sent);
  const search = query.length === 0 ? '' : `?${new URLSearchParams(Object.fromEntries(query))}`;
  const credential = procedure.public ? null : credentialOf(as, world);
  const answer = await service.call(credential, method, path + search, body);
  if (answer.status !== 200) throw new Error(`${name}: ${answer.status} ${JSON.stringify(answer.body)}`);
  const inPath = Object.keys(sent).filter((key) => procedure.http.includes(`{${key}}`));
  return {
    path: Object.fromEntries(inPath.map((key) => [key, String(sent[key])])),
    query: Object.fromEntries(query),
    ...(bodySchema(procedure) !== null && { body }),
    // Of a file of lines the last one: that of the export.
    answer: Array.isArray(answer.body) ? answer.body.at(-1) : answer.body,
  };
}

/** What the service says no with, by status. */
async function refusals(service: TestService, world: World): Promise<CapturedExamples['problems']> {
  const { readKey, writeKey } = world.organisation;
  const project = `/api/projects/${world.projectId}`;
  const answers = [
    await service.call(writeKey, 'POST', '/api/projects', '{"name":', { 'content-type': 'application/json' }),
    await service.call(null, 'GET', '/api/projects'),
    await service.call(readKey, 'POST', '/api/projects', { name: 'blog' }),
    await service.call(readKey, 'GET', '/api/projects/shpo'),
    await service.call(writeKey, 'POST', '/api/projects', { name: 'shop' }),
    await service.call(writeKey, 'PATCH', project, { name: 'blog' }, { 'if-match': '"7"' }),
    await service.call(writeKey, 'POST', '/api/projects', '<a/>', { 'content-type': 'application/xml' }),
    await service.call(readKey, 'GET', `${project}/alerts?page=0&colour=red`),
  ];
  return Object.fromEntries(answers.map(({ status, body }) => [status, z.json().parse(readable(world, body))]));
}

/** The same with words and numbers in place of what differs from run to run: names made by chance, ids, times, secrets. */
function readable({ intelligence, organisation }: World, value: unknown, proofs?: Proofs): unknown {
  const { packageName, otherName, deprecatedName, cve, advisoryIds } = intelligence;
  const names: [string, string][] = [
    [packageName, 'lodash'],
    [otherName, 'minimist'],
    [deprecatedName, 'request'],
    [cve, 'CVE-2025-10001'],
    [advisoryIds[0] ?? '', 'GHSA-aaaa-bbbb-0001'],
    [advisoryIds[1] ?? '', 'GHSA-aaaa-bbbb-0002'],
    [organisation.member.password, 'correct horse staple'],
    [organisation.member.name, 'Ada'],
    [organisation.admin.name, 'Grace'],
    [organisation.member.email, 'ada@example.com'],
    [organisation.admin.email, 'grace@example.com'],
    [`d-${organisation.id}.example.com`, 'acme.example'],
    [`new-${organisation.id}.example.com`, 'acme.example'],
  ];
  if (proofs !== undefined)
    names.push(
      [proofs.server.issuer, 'https://login.example.com'],
      [proofs.signIns.issuer, 'https://sign-in.example.com'],
      [new URL(proofs.signIns.issuer).host, 'sign-in.example.com'],
    );
  let text = JSON.stringify(value);

  for (const [name, word] of names)
    text = text.replaceAll(name, word).replaceAll(name.toUpperCase(), word.toUpperCase());
  const seen = new Map<string, number>();
  const numbered = (id: string) => {
    const at = seen.get(id) ?? seen.size + 1;
    seen.set(id, at);
    return at;
  };
  text = text
    .replace(/postern_live_[0-9a-f]{64}/g, 'postern_live_example')
    .replace(/postern_live_…[0-9a-f]{4}/g, 'postern_live_…0000')
    .replace(/postern_(invite|reset)_[\w-]+/g, 'postern_$1_example')
    .replace(/code=eyJ[\w-]+/g, 'code=example')
    .replace(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'session.token.example')
    .replace(/eyJ[\w-]+(?:\.[\w-]*){4}/g, 'sealed.text.example')
    .replace(/(state|nonce|code_challenge)("?[=:]"?)[\w-]{43}/g, '$1$2example')
    .replace(/"next_cursor":"[\w-]+"/g, '"next_cursor":"example"')
    .replace(/"sha256":"[0-9a-f]{64}"/g, `"sha256":"${'0'.repeat(64)}"`)
    .replace(/"(kid|x|y)":"[\w-]{43}"/g, '"$1":"example"')
    .replace(/"(revision|posture)":"[0-9a-f]{32}"/g, '"$1":"example"')
    .replace(/"(iat|exp)":\d+/g, '"$1":1768471200')
    .replace(/"bytes":\d+/g, '"bytes":4096')
    .replace(/"event_\d+"/g, '"event_1"')
    .replace(/postern-domain=[0-9a-f]{40}/g, 'postern-domain=example')
    .replace(/whsec_[\w+/=-]+/g, 'whsec_example')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => {
      return `00000000-0000-4000-8000-${String(numbered(id)).padStart(12, '0')}`;
    })
    .replace(/\b([a-z]{3})_(?:[a-z2-7]{20}|[0-9a-f]{32})\b/g, (id, kind: string) => `${kind}_example${numbered(id)}`)
    .replace(/"(\d{4}-\d\d-\d\d)(T[\d:.]+Z)?"/g, (whole, date: string, time?: string) => steady(whole, date, time));
  return JSON.parse(text);
}

const dayMs = 86_400_000;

/** Moves a time of these weeks to the same day relative to 2026-01-15. Times of the data, as a CVE's, stay. */
function steady(whole: string, date: string, time: string | undefined): string {
  const days = Math.round((Date.parse(date) - Date.parse(new Date().toISOString().slice(0, 10))) / dayMs);
  if (Math.abs(days) > 100) return whole;
  const moved = new Date(Date.parse('2026-01-15') + days * dayMs).toISOString();
  return time === undefined ? `"${moved.slice(0, 10)}"` : `"${moved.slice(0, 10)}T10:00:00.000Z"`;
}

/** Without ids and times, and without the order of rows: rows of one rank are ordered by ids, which are made by chance. */
export function comparable(value: unknown): unknown {
  const text = JSON.stringify(value)
    .replace(/_example\d+/g, '_example')
    .replace(/00000000-0000-4000-8000-\d{12}/g, '<uuid>')
    .replace(/"\d{4}-\d\d-\d\d(?:T10:00:00\.000Z)?"/g, '"<time>"');
  return sorted(JSON.parse(text));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(sorted).sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, sorted(each)]));
}

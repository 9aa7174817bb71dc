import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at, textAt } from '../../support/at.js';
import { startPostern, type TestPostern } from '../../support/postern.js';
import type { TestOrganisation } from '../../support/service.js';
import { readCookie, send } from '../session-cookie/browser.js';

let postern: TestPostern;
let page: Record<string, string>;
let organisation: TestOrganisation;
let project: string;

beforeAll(async () => {
  postern = await startPostern();
  organisation = await postern.newOrganisation({ plan: 'Enterprise' });
  const { email, password } = organisation.member;
  const headers = { origin: postern.url, 'sec-fetch-site': 'same-origin' };
  const { cookies } = await send(`${postern.url}/trpc/session-cookie`, {
    method: 'POST',
    headers,
    body: { email, password },
  });
  page = { ...headers, cookie: readCookie(cookies[0]).pair };
  const created = await postern.call(organisation.writeKey, 'POST', '/api/projects', { name: 'shop' });
  project = textAt(created.body, 'id');
});
afterAll(() => postern.close());

describe('a page of the real server', () => {
  const bom = {
    ...{ bomFormat: 'CycloneDX', specVersion: '1.5', version: 1 },
    components: [{ type: 'library', name: 'lodash', version: '4.17.11', purl: 'pkg:npm/lodash@4.17.11' }],
  };

  test('uploads an SBOM and gets it back as a file', async () => {
    const uploaded = await send(`${postern.url}/trpc/upload/techStack.uploadSbom?project_id=${project}`, {
      ...{ method: 'POST', headers: page, body: bom },
    });
    expect([uploaded.status, at(uploaded.body, 'result.data.json.receipt.taken')]).toEqual([200, 1]);
    const known = await postern.call(organisation.readKey, 'GET', `/api/projects/${project}/sbom`);
    const kept = await fetch(`${postern.url}/trpc/document/intelligence.getSbomDocument?project_id=${project}`, {
      headers: page,
    });
    const bytes = Buffer.from(await kept.arrayBuffer());
    expect(kept.headers.get('content-disposition')).toBe(`attachment; filename=${project}.cdx.json`);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(at(known.body, 'sha256'));
  });

  test('is told of a report that is none, by the name of its field', async () => {
    const refused = await send(`${postern.url}/trpc/upload/sast.uploadReport?project_id=${project}&source_repo=r`, {
      ...{ method: 'POST', headers: page, body: { not: 'SARIF' } },
    });
    expect(refused.status).toBe(400);
    expect(at(refused.body, 'error.json.data')).toMatchObject({
      failure: 'invalid_input',
      fields: [{ field: 'report', message: expect.stringContaining('SARIF') }],
    });
  });

  test('does not upload into a project of others', async () => {
    const other = await postern.newOrganisation();
    const theirs = await postern.call(other.writeKey, 'POST', '/api/projects', { name: 'theirs' });
    const path = `/trpc/upload/techStack.uploadSbom?project_id=${textAt(theirs.body, 'id')}`;
    const refused = await send(`${postern.url}${path}`, { method: 'POST', headers: page, body: bom });
    expect([refused.status, at(refused.body, 'error.json.data.failure')]).toEqual([404, 'not_found']);
  });

  test('uploads what is large, and reads the answer or the job', async () => {
    const components = Array.from({ length: 4_000 }, (_, nth) => {
      return { type: 'library', name: `package-${nth}`, version: '1.0.0', purl: `pkg:npm/package-${nth}@1.0.0` };
    });
    const { id } = Object((await postern.call(organisation.writeKey, 'POST', '/api/projects', { name: 'large' })).body);
    const answer = await send(`${postern.url}/trpc/upload/techStack.uploadSbom?project_id=${id}`, {
      ...{ method: 'POST', headers: page, body: { ...bom, components } },
    });
    expect([200, 202]).toContain(answer.status);
    const data = at(answer.body, 'result.data.json');
    expect(answer.status === 200 ? at(data, 'receipt.taken') : at(data, 'procedure')).toBe(
      answer.status === 200 ? 4_000 : 'techStack.uploadSbom',
    );
  });
});

import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import {
  documentUrl,
  isPosternError,
  type Progress,
  type RouterOutputs,
  type UploadPath,
  uploadReport,
} from '../../src/client/index.js';
import type { UploadInput } from '../../src/gateway/trpc/app-router.js';
import { procedures } from '../../src/procedures/index.js';
import { type StartedGateway, startGateway } from '../support/gateway.js';
import { sampleOf } from '../support/sample.js';
import { answerJson, answerSample, everyRequest, type FakeUpstream, startUpstream } from '../support/upstream.js';

let upstream: FakeUpstream;
let gateway: StartedGateway;
let options: { readonly url: string; readonly credential: string };
beforeAll(async () => {
  upstream = await startUpstream((res, seen) => {
    if (seen.url.includes('/projects/late/')) return answerJson(res, 202, sampleOf(procedures.uploads.get.output));
    if (seen.url.includes('/projects/odd/'))
      return answerJson(res, 422, { errors: [{ field: 'report.runs', reason: 'not_sarif' }] });
    answerSample(res, seen);
  });
  gateway = await startGateway({ serviceUrl: upstream.url });
  options = { url: gateway.url, credential: 'k' };
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const input = (project_id: string) => ({ project_id, source_repo: 'https://example.com/a&b' });

describe('an upload', () => {
  test('answers what the procedure does, with its types', async () => {
    const uploaded = await uploadReport('sast.uploadReport', input('p'), '{"version":"2.1.0"}', options);
    expectTypeOf(uploaded.answer).toEqualTypeOf<RouterOutputs['sast']['uploadReport'] | null>();
    expect(uploaded).toEqual({ answer: sampleOf(procedures.sast.uploadReport.output), job: null });
    expect(upstream.seen.at(-1)).toMatchObject({
      url: '/api/projects/p/sast/reports?source_repo=https%3A%2F%2Fexample.com%2Fa%26b',
      body: '{"version":"2.1.0"}',
      headers: { authorization: 'Bearer k', 'content-type': 'application/json' },
    });
  });

  test('answers the job that goes on, with dates', async () => {
    const { answer, job } = await uploadReport('sast.uploadReport', input('late'), '{}', options);
    expect([answer, job?.id, job?.received_at]).toEqual([null, 'sample_1', expect.any(Date)]);
  });

  test.each([
    [new Blob(['<a/>'], { type: 'text/xml' }), undefined, 'text/xml', '<a/>'],
    [new File(['{}'], 'bom.json', { type: 'application/json' }), undefined, 'application/json', '{}'],
    [new File(['{}'], 'report.sarif'), undefined, 'application/json', '{}'],
    [Uint8Array.of(123, 125), 'application/gzip', 'application/gzip', '{}'],
  ])('of %o (%j) is sent as %s', async (document, contentType, type, body) => {
    const told: Progress[] = [];
    const onProgress = (progress: Progress) => void told.push(progress);
    const sent = { ...options, contentType, onProgress };
    await uploadReport('techStack.uploadSbom', { project_id: 'p', source: undefined, force: true }, document, sent);
    expect(upstream.seen.at(-1)).toMatchObject({ headers: { 'content-type': type }, body });
    expect(upstream.seen.at(-1)?.url).toBe('/api/projects/p/tech-stack/sbom?force=true');
    expect(told.at(-1)).toEqual({ sent: body.length, total: body.length });
  });

  test('fails as the call would', async () => {
    const error = await uploadReport('sast.uploadReport', input('odd'), '{}', options).catch((thrown) => thrown);
    if (!isPosternError(error)) throw new Error('an error of the gateway was expected');
    expect([error.data.failure, error.data.fields[0]?.field]).toEqual(['invalid_input', 'report']);
    const leaving = AbortSignal.abort();
    const left = await uploadReport('sast.uploadReport', input('p'), '{}', { ...options, signal: leaving }).catch(
      (thrown) => thrown,
    );
    expect([left instanceof Error, isPosternError(left)]).toEqual([true, false]);
  });

  test('is of each procedure that takes a large document, and needs all but that', () => {
    const known: Record<UploadPath, true> = {
      'sast.uploadReport': true,
      'dast.uploadReport': true,
      'containers.uploadReport': true,
      'reachability.uploadUsageReport': true,
      'techStack.uploadSbom': true,
      'techStack.sync': true,
      'vex.upload': true,
    };
    const large = everyRequest.filter(([, { maxBytes }]) => maxBytes !== undefined).map(([path]) => path);
    expect(Object.keys(known).sort()).toEqual(large.sort());
    expectTypeOf<UploadInput<'sast.uploadReport'>>().toEqualTypeOf<{ project_id: string; source_repo: string }>();
    expectTypeOf<keyof UploadInput<'techStack.uploadSbom'>>().toEqualTypeOf<'project_id' | 'force' | 'source'>();
    expectTypeOf<UploadInput<'techStack.sync'>>().toEqualTypeOf<{ project_id: string }>();
    // @ts-expect-error the document is no part of the input
    void (() => uploadReport('sast.uploadReport', { ...input('p'), report: {} }, ''));
  });
});

test('the address of a document is a link', async () => {
  const path = documentUrl('intelligence.getSbomDocument', { project_id: 'p', vex: true });
  expect(path).toBe('/trpc/document/intelligence.getSbomDocument?project_id=p&vex=true');
  expect(documentUrl('organisation.exportAuditLog', { since: '2026-01-01' })).toBe(
    '/trpc/document/organisation.exportAuditLog?since=2026-01-01',
  );
  const url = documentUrl('intelligence.exportOpenVex', { project_id: 'p' }, `${gateway.url}/`);
  const response = await fetch(url, { headers: { authorization: 'Bearer k' } });
  expect([response.status, response.headers.get('content-disposition')]).toEqual([
    ...[200, 'attachment; filename=p.openvex.json'],
  ]);
});

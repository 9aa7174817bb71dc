import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newScannedProject } from '../../service/findings/scanned-project.js';
import { result, run, sarif } from '../../service/scanners/sarif/sarif-report.js';
import { memoryInUse } from '../../service/uploads/worker-processes.js';
import { at, textAt } from '../../support/at.js';
import { collectGarbage } from '../../support/collect-garbage.js';
import { eventually } from '../../support/eventually.js';
import { startService, type TestService } from '../../support/service.js';

let service: TestService;
let small: TestService;
beforeAll(async () => {
  service = await startService();
  small = await startService({ uploading: { memoryMb: 100 } });
});
afterAll(async () => {
  await service.close();
  await small.close();
});

const megabyte = 1024 * 1024;
const reports = '/sast/reports?source_repo=shop';
const xml = { 'content-type': 'application/xml' };

/** A valid report whose properties hold this. */
const holding = (values: string) =>
  JSON.stringify(sarif(run([], {}))).replace(/}$/, `,"properties":{"a":[${values}]}}`);

/** Bodies that keep the limits of values and levels, and take much memory. */
const bombs: readonly [string, () => string, string, Record<string, string>?][] = [
  ['60 MB of long texts with escapes', () => holding(`"${'\\n'.repeat(5e6)}",`.repeat(6) + 1), reports],
  ['5.9 million empty objects', () => holding(`${'{},'.repeat(5.9e6)}{}`), reports],
  ['5.9 million elements', () => `<OWASPZAPReport>${'<a/>'.repeat(5.9e6)}</OWASPZAPReport>`, '/dast/reports', xml],
];

/** The status of an upload: its answer's, or on a loaded machine, where the wait for it was too short, that of its job. */
async function endOf(
  call: (method: string, path: string) => Promise<{ readonly body: unknown }>,
  { status, body }: { readonly status: number; readonly body: unknown },
): Promise<unknown> {
  if (status !== 202) return status;
  return eventually(async () => {
    const { body: job } = await call('GET', `/uploads/${textAt(body, 'id')}`);
    expect(at(job, 'state')).toMatch(/done|failed/);
    return at(job, 'state') === 'done' ? 200 : at(job, 'problem.status');
  });
}

describe('a body that takes more memory than an upload may', () => {
  test.each(bombs)('is refused with the limit named, and ends nothing else: %s', async (name, body, path, headers) => {
    const project = await newScannedProject(small);
    const answer = await project.call('POST', path, gzipSync(body(), { level: 1 }), { prefer: 'wait=60', ...headers });
    // What its reader refuses before the memory is full is as good. Long text alone may fit, where memory is given back soon.
    const ends = name.includes('long texts') ? [200, 422] : [422];
    expect(ends, JSON.stringify(answer.body)).toContain(await endOf(project.call, answer));
    expect((await small.call(project.key, 'GET', '/api/org')).status).toBe(200);
    const report = sarif(run([result(1)]));
    const padded = { ...report, properties: 'x'.repeat(300 * 1024) };
    expect(await project.call('POST', reports, padded)).toMatchObject({ status: 200, body: { receipt: { taken: 1 } } });
  });

  test('is answered with the limit', async () => {
    const project = await newScannedProject(small);
    const [, bomb] = bombs[1] ?? [];
    expect(await project.call('POST', reports, bomb?.(), { prefer: 'wait=60' })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'report', message: 'takes more than 100 MB of memory to read: split it' }] },
    });
  });
});

test('the memory of large bodies is given back', async () => {
  const project = await newScannedProject(service);
  await project.call('POST', reports, { ...sarif(run([result(1)])), properties: 'x'.repeat(300 * 1024) });
  collectGarbage();
  const before = memoryInUse();
  for (const [, body, path, headers] of bombs)
    await endOf(project.call, await project.call('POST', path, body(), headers));
  collectGarbage();
  expect((memoryInUse() - before) / megabyte).toBeLessThan(300);
});

test('a report of honest size passes', async () => {
  const project = await newScannedProject(service);
  const step = (line: number) => ({
    location: { physicalLocation: { artifactLocation: { uri: `src/${line}.ts` }, region: { startLine: line } } },
  });
  const codeFlows = [{ threadFlows: [{ locations: Array.from({ length: 20 }, (_, at) => step(at + 1)) }] }];
  const results = Array.from({ length: 3000 }, (_, at) => ({
    ...result(at + 1, { message: { text: `finding ${at} ${'of a long explanation '.repeat(700)}` } }),
    codeFlows,
  }));
  const body = JSON.stringify(sarif(run(results)));
  expect(body.length / megabyte).toBeGreaterThan(50);
  expect(body.length / megabyte).toBeLessThan(64);
  expect(await project.call('POST', reports, body)).toMatchObject({ status: 200, body: { receipt: { taken: 3000 } } });
});

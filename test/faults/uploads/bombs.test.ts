import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newScannedProject } from '../../service/findings/scanned-project.js';
import { run, sarif } from '../../service/scanners/sarif/sarif-report.js';
import { startService, type TestService } from '../../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const reports = '/sast/reports?source_repo=shop';

/** A valid report whose properties hold this. */
const holding = (values: string) => JSON.stringify(sarif(run([], {}))).replace(/}$/, `,"properties":{"a":${values}}}`);

const many = (count: number) => holding(`[${'{},'.repeat(count)}{}]`);

const tooManyValues = { message: expect.stringContaining('at most 6,000,000 values') };

describe('a report that would take much memory', () => {
  test.each([
    ['57 MB of empty objects', () => many(19_000_000), tooManyValues],
    ['18 MB of empty objects', () => many(6_000_000), tooManyValues],
    ['lists, 200,000 deep', () => holding('['.repeat(200_000) + ']'.repeat(200_000)), { message: /128 levels/ }],
    ['objects, 200,000 deep', () => holding(`${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`), { message: /128/ }],
  ])('is refused with the limit named: %s', async (_, report, { message }) => {
    const project = await newScannedProject(service);
    const answer = await project.call('POST', reports, report());
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ field: 'report' }] } });
    const said = Object(answer.body).errors[0].message;
    if (message instanceof RegExp) expect(said).toMatch(message);
    else expect(said).toEqual(message);
    expect(await readdir(service.uploadsFolder)).toEqual([]);
  });

  test('is refused twice at once', async () => {
    const projects = [await newScannedProject(service), await newScannedProject(service)];
    const body = many(19_000_000);
    const answers = await Promise.all(projects.map((project) => project.call('POST', reports, body)));
    expect(answers.map(({ status }) => status)).toEqual([422, 422]);
  });

  test('is no worse in XML', async () => {
    const project = await newScannedProject(service);
    const xml = `<OWASPZAPReport>${'<a/>'.repeat(6_100_000)}</OWASPZAPReport>`;
    const answer = await project.call('POST', '/dast/reports', xml, { 'content-type': 'application/xml' });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ field: 'report', ...tooManyValues }] } });
  });

  test('is no worse where it lists packages', async () => {
    const project = await newScannedProject(service);
    const answer = await project.call('POST', '/tech-stack/sync', `{"packages":[${'{},'.repeat(6_100_000)}{}]}`);
    expect(answer).toMatchObject({ status: 422, body: { errors: [tooManyValues] } });
  });
});

test('an ordinary body has few values, since it is read on the main thread', async () => {
  const project = await newScannedProject(service);
  const answer = await service.call(project.key, 'POST', '/api/projects', `{"a":[${'{},'.repeat(300_000)}{}]}`);
  expect(answer).toMatchObject({
    status: 422,
    body: { errors: [{ message: expect.stringContaining('at most 250,000 values') }] },
  });
});

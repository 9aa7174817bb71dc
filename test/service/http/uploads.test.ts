import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../../support/service.js';
import { newScannedProject } from '../findings/scanned-project.js';
import { result, run, sarif } from '../scanners/sarif/sarif-report.js';
import { zapXml } from '../scanners/zap/zap-report.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const text = JSON.stringify(sarif(run([result(1, { message: { text: 'naïve 🚀' } })])));
const utf16 = (content: string) => Buffer.from(content, 'utf16le');
const big = (bytes: Buffer) => Buffer.from(bytes).swap16();

describe('an uploaded report', () => {
  const forms: readonly {
    readonly form: string;
    readonly body: Uint8Array;
    readonly headers?: Record<string, string>;
  }[] = [
    { form: 'UTF-8', body: Buffer.from(text) },
    { form: 'UTF-8 with a byte order mark', body: Buffer.from(`\ufeff${text}`) },
    { form: 'UTF-16 of PowerShell', body: utf16(`\ufeff${text}`) },
    { form: 'UTF-16, big-endian', body: big(utf16(`\ufeff${text}`)) },
    { form: 'UTF-16 without a mark', body: utf16(text) },
    { form: 'UTF-16, big-endian, without a mark', body: big(utf16(text)) },
    { form: 'gzip that says so', body: gzipSync(text), headers: { 'content-encoding': 'gzip' } },
    { form: 'gzip that does not', body: gzipSync(text) },
    { form: 'gzip as a file', body: gzipSync(utf16(`\ufeff${text}`)), headers: { 'content-type': 'application/gzip' } },
    { form: 'gzip in gzip', body: gzipSync(gzipSync(text)), headers: { 'content-encoding': 'gzip' } },
  ];
  test.each(forms)('may be $form', async ({ body, headers = {} }) => {
    const project = await newScannedProject(service);
    const answer = await project.call('POST', '/sast/reports?source_repo=shop', body, headers);
    expect(answer).toMatchObject({ status: 200, body: { receipt: { taken: 1 } } });
    expect(await project.codeFindings()).toMatchObject({ items: [{ message: 'naïve 🚀' }] });
  });

  const shop = 'https://shop.example.com';
  const xml = (encoding: string) =>
    zapXml(
      `<site name="${shop}"><alerts><alertitem><pluginid>1</pluginid><name>naïve</name><riskcode>1</riskcode>
        <confidence>2</confidence></alertitem></alerts></site>`,
      `<?xml version="1.0" encoding="${encoding}"?>`,
    );
  test.each([
    ['ISO-8859-1', Buffer.from(xml('ISO-8859-1'), 'latin1'), 'application/xml'],
    ['windows-1252, named by the header', Buffer.from(xml('x'), 'latin1'), 'text/xml; charset=windows-1252'],
    ['UTF-16', utf16(`\ufeff${xml('UTF-16')}`), 'text/xml'],
    ['UTF-8 that was UTF-16', Buffer.from(xml('UTF-16')), 'text/xml'],
    ['gzip', gzipSync(xml('UTF-8')), 'application/gzip'],
    ['JSON by its media type', Buffer.from(xml('UTF-8')), 'application/json'],
  ])('in XML may be %s', async (_, body, type) => {
    const project = await newScannedProject(service);
    const answer = await project.call('POST', '/dast/reports', body, { 'content-type': type });
    expect(answer).toMatchObject({ status: 200 });
    expect(await project.appFindings()).toMatchObject({ items: [{ title: 'naïve' }] });
  });

  test.each([
    ['no UTF-8', Buffer.from([0x7b, 0xe9, 0x7d]), 'the body is not UTF-8'],
    ['broken gzip', gzipSync(text).subarray(0, 40), 'the body is broken gzip'],
    ['no JSON, in UTF-16', utf16('\ufeff{\n"a": }'), 'the body is not JSON: expected a value at line 2, column 6'],
    ['half a file, in gzip', gzipSync(text.slice(0, -1)), /the body is not JSON: expected , or }/],
  ])('that is %s is refused', async (_, body, detail) => {
    const project = await newScannedProject(service);
    const answer = await project.call('POST', '/sast/reports?source_repo=shop', body);
    expect(answer).toMatchObject({ status: 400, body: { detail: expect.stringMatching(detail) } });
  });

  test('in an encoding that nobody knows is refused', async () => {
    const project = await newScannedProject(service);
    const headers = { 'content-type': 'application/xml' };
    expect(await project.call('POST', '/dast/reports', xml('EBCDIC-FI'), headers)).toMatchObject({
      status: 400,
      body: { detail: 'the body names an encoding that is not known: send UTF-8' },
    });
  });

  test('is no larger than 64 MB, whatever its gzip says', async () => {
    const project = await newScannedProject(service);
    const bomb = gzipSync(Buffer.alloc(65 * 1024 * 1024, ' '));
    for (const type of ['application/gzip', 'application/json']) {
      expect(
        await project.call('POST', '/sast/reports?source_repo=shop', bomb, { 'content-type': type }),
      ).toMatchObject({
        status: 422,
        body: { errors: [{ field: 'report', message: expect.stringContaining('64 MB') }] },
      });
    }
  });
});

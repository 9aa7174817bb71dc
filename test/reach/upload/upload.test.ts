import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scannerFormats } from '../../../src/procedures/scanner-formats.js';
import { newScannedProject } from '../../service/findings/scanned-project.js';
import { result, sarif, run as sarifRun } from '../../service/scanners/sarif/sarif-report.js';
import { alert, site, zap, zapXml } from '../../service/scanners/zap/zap-report.js';
import { textAt } from '../../support/at.js';
import { startService, type TestService } from '../../support/service.js';
import { folderWith } from '../folder.js';
import { recordingService } from '../recording-service.js';
import { runReach } from '../run-reach.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** A project, and `reach upload` of a file to it. */
async function newUploads() {
  const project = await newScannedProject(service);
  const env = { SERVICE_API_URL: service.url, SERVICE_API_KEY: project.key };
  return {
    ...project,
    env,
    upload: (kind: string, content: string | Uint8Array, ...more: readonly string[]) => {
      const file = join(folderWith({}), 'report');
      writeFileSync(file, content);
      return runReach(['upload', kind, file, '--project', project.projectId, ...more], env);
    },
  };
}

const nothingElse = { skipped: 0, skipped_rows: [], left_out: [] };
const repo = ['--repo', 'https://example.com/shop'] as const;
const oneResult = JSON.stringify(sarif(sarifRun([result(1)])));

describe('reach upload', () => {
  test('brings a SARIF report, and tells what changed', async () => {
    const { upload, codeFindings } = await newUploads();
    const first = await upload('sarif', `\ufeff${oneResult}`, ...repo);
    expect(first).toMatchObject({ exitCode: 0, stderr: '' });
    expect(first.stdout).toMatch(/^Uploaded .*report to project prj_\w+:\n/);
    expect(first.stdout).toContain(
      '  rows: 1, of them 1 taken\n  findings: 1 new, 0 reopened, 0 fixed, 0 unchanged, 0 suppressed\n  open now: 0 RED, 1 YELLOW, 0 GREEN\n',
    );
    expect((await upload('sarif', oneResult, ...repo)).stdout).toContain('very content: nothing changed');
    expect(await codeFindings()).toMatchObject({ items: [{ source_repo: 'https://example.com/shop' }] });
  });

  test('brings a ZAP report in JSON or XML, with its mode', async () => {
    const { upload, appJobs, appFindings } = await newUploads();
    const json = JSON.stringify(zap(site('https://shop.example.com', alert('1', '3'))));
    expect(await upload('zap', json, '--mode', 'full')).toMatchObject({ exitCode: 0 });
    const xml = zapXml('<site name="https://blog.example.com"><alerts></alerts></site>');
    const answer = await upload('zap', xml, '--json');
    expect(JSON.parse(answer.stdout)).toMatchObject({ error: null, result: { findings: { total: 0 } } });
    expect(await appJobs()).toMatchObject({
      items: [
        { mode: 'baseline', target_url: 'https://blog.example.com' },
        { mode: 'full', target_url: 'https://shop.example.com' },
      ],
    });
    expect(await appFindings()).toMatchObject({ items: [{ tier: 'RED' }] });
  });

  test('finishes a hosted scan', async () => {
    const { upload, call } = await newUploads();
    const target = await call('POST', '/dast/targets', { url: 'https://shop.example.com', name: 'shop' });
    const jobs = '/dast/server-scan-jobs';
    const job = await call('POST', jobs, { target_id: textAt(target.body, 'id') });
    const report = JSON.stringify(zap(site('https://shop.example.com')));
    const answer = await upload('zap', report, '--scan-job', textAt(job.body, 'id'));
    expect(answer).toMatchObject({ exitCode: 0 });
    expect(await call('GET', jobs)).toMatchObject({ body: { items: [{ status: 'done' }] } });
  });

  const utf16 = Buffer.from(`\ufeff${oneResult}`, 'utf16le');
  test.each([
    ['UTF-16, as PowerShell writes it', utf16],
    ['big-endian UTF-16', Buffer.from(utf16).swap16()],
    ['gzip', gzipSync(oneResult)],
    ['gzip of UTF-16', gzipSync(utf16)],
  ])('brings a report in %s', async (_, content) => {
    const { upload } = await newUploads();
    expect(await upload('sarif', content, ...repo)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('findings: 1 new'),
    });
  });

  test('tells what became of each row', async () => {
    const { upload } = await newUploads();
    const odd = Array.from({ length: 25 }, () => ({ text: '\u001b[31mred' }));
    const report = JSON.stringify(sarif(sarifRun([result(1), { kind: 'pass' }, ...odd])));
    const { stdout } = await upload('sarif', report, ...repo);
    expect(stdout).toContain('  rows: 27, of them 1 taken, 25 skipped, left out: 1 passed checks\n');
    expect(stdout).toContain('    /runs/0/results/2: message: is required in a result that names no rule\n');
    expect(stdout.split('/runs/0/results/')).toHaveLength(21);
    expect(stdout).toContain('\n    …\n');
    const json: unknown = JSON.parse((await upload('sarif', report, ...repo, '--json')).stdout);
    expect(json).toMatchObject({ result: { receipt: { rows: 27, taken: 1, skipped: 25 } } });
  });

  test('names each image of a cluster', async () => {
    const { upload } = await newUploads();
    const rows = [{ VulnerabilityID: 'CVE-1990-1001', PkgName: 'zlib1g' }];
    const Resources = ['acme/shop:1', 'acme/blog:1'].map((image) => ({
      Results: [{ Target: `${image} (debian 12)`, Class: 'os-pkgs', Type: 'debian', Vulnerabilities: rows }],
    }));
    const { stdout } = await upload('trivy', JSON.stringify({ ClusterName: 'kind', Resources }));
    expect(stdout).toContain(
      '  images: 2\n    docker.io/acme/shop:1: 1 new, 0 fixed\n    docker.io/acme/blog:1: 1 new',
    );
  });

  test.each(['trivy', 'grype'])('brings a %s report, with its image', async (kind) => {
    const findings = { total: 1, new: 1, reopened: 0, fixed: 0, unchanged: 0, suppressed: 0 };
    const body = {
      ...{ scan_job_id: 'job_1', duplicate: false, findings, tiers: { red: 1, yellow: 0, green: 0 } },
      note: '3 open findings were left',
      ...{ image_id: 'img_1', images: [], receipt: { rows: 1, taken: 1, merged: 0, ...nothingElse } },
    };
    const { url, received } = await recordingService({ status: 200, body });
    const file = join(folderWith({ 'report.json': '{"a": 1}' }), 'report.json');
    const args = ['upload', kind, file, '--project', 'prj_1', '--image', 'shop:1'];
    const answer = await runReach(args, { SERVICE_API_URL: url, SERVICE_API_KEY: 'key_1' });
    expect(answer).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('\n  3 open findings were left\n') });
    expect(received).toMatchObject([
      { method: 'POST', url: '/api/projects/prj_1/containers/reports?image=shop%3A1', body: { a: 1 } },
    ]);
  });
});

test('reach upload --help lists the formats and whose options are whose', async () => {
  const { stdout } = await runReach(['upload', '--help'], {});
  for (const { id, title } of scannerFormats)
    expect(stdout).toMatch(new RegExp(`^ +${id} +${title.replace(/[().]/g, '\\$&')}, in JSON`, 'm'));
  expect(stdout).toMatch(/--image <REF> +trivy, grype(?:, \w+)*: the image/);
});

describe('reach upload, refused', () => {
  test.each([
    ['sarif', '{"version": "1.0"}', repo, /report\.version: is not a SARIF 2\.1\.0 report: report\.version .*2\.1\.0/],
    ['zap', '{"version": "2.1.0"}', [], /is not a ZAP report, in JSON or XML: report\.@version is required/],
    ['zap', '<html/>', [], /must begin with OWASPZAPReport/],
  ])('by the service: %s %s', async (kind, content, more, message) => {
    const { upload } = await newUploads();
    const answer = await upload(kind, content, ...more);
    expect(answer).toMatchObject({ exitCode: 1, stdout: '' });
    expect(answer.stderr).toMatch(message);
    expect(answer.stderr).toContain('Check that the file is such a report');
  });

  test.each([
    ['nothing', '', /is empty/],
    ['no JSON', '{\n"version":', /is not JSON: expected a value at line 2, column 11/],
    [
      'no JSON, in UTF-16',
      Buffer.from('\ufeff[', 'utf16le'),
      /is not JSON: expected a value or \] at line 1, column 2/,
    ],
    ['broken gzip', gzipSync('{}').subarray(0, 12), /is broken gzip/],
    ['a gzip bomb', gzipSync(Buffer.alloc(65 * 1024 * 1024)), /is larger than 64 MB when decompressed/],
    ['a list', '[]', /is JSON, but no object/],
  ])('for the file: %s', async (_, content, message) => {
    const { upload } = await newUploads();
    const answer = await upload('sarif', content, ...repo);
    expect(answer.exitCode).toBe(1);
    expect(answer.stderr).toMatch(message);
  });

  test('for a file that is not there, is a folder, or is no text', async () => {
    const { env, projectId } = await newUploads();
    const folder = folderWith({ 'latin.json': '' });
    writeFileSync(join(folder, 'latin.json'), Buffer.from([0x7b, 0xe9, 0x7d]));
    for (const [file, message] of [
      ['gone.json', /cannot be read \(ENOENT\)/],
      ['.', /is no file/],
      ['latin.json', /is not UTF-8/],
    ] as const) {
      const answer = await runReach(['upload', 'sarif', join(folder, file), '--project', projectId, ...repo], env);
      expect(answer.exitCode).toBe(1);
      expect(answer.stderr).toMatch(message);
    }
  });

  test('for an image that is not named, with what to do', async () => {
    const { upload } = await newUploads();
    const report = { SchemaVersion: 2, ArtifactName: 'image.tar', ArtifactType: 'container_image', Results: [] };
    const unnamed = await upload('trivy', JSON.stringify(report));
    expect(unnamed).toMatchObject({ exitCode: 1, stdout: '' });
    expect(unnamed.stderr).toContain('refused: the report names no image: give --image REF [422]');
    const repository = JSON.stringify({ ...report, ArtifactType: 'repository' });
    expect((await upload('trivy', repository)).stderr).toContain('the report is of a repository, not of an image');
    const wrong = await upload('trivy', JSON.stringify(report), '--image', 'not a name');
    expect(wrong.stderr).toContain('image: is not the reference of an image');
    for (const { stderr } of [unnamed, wrong]) expect(stderr).not.toMatch(/older|update/);
  });

  test.each([
    ['invalid_input', 422, [{ field: 'mode', message: 'is not known' }], /older than this program/],
    ['invalid_input', 422, [{ field: 'repo', message: 'is required (string)' }], /older than this program/],
    ['invalid_input', 422, [{ field: 'repo', message: 'must not be blank' }], /Correct what it names/],
    ['unsupported_media_type', 415, [], /older than this program/],
  ])('%s %i by a service, with advice to update only where that may help', async (code, status, errors, advice) => {
    const body = { type: 't', title: 't', status, code, errors };
    const { url } = await recordingService({ status, body, headers: { 'content-type': 'application/problem+json' } });
    const file = join(folderWith({ 'report.json': '{"a": 1}' }), 'report.json');
    const args = ['upload', 'trivy', file, '--project', 'prj_1'];
    expect((await runReach(args, { SERVICE_API_URL: url, SERVICE_API_KEY: 'key_1' })).stderr).toMatch(advice);
  });

  test.each([
    [['sarif'], /--repo/],
    [['sarif', ...repo, '--mode', 'full'], /--mode is for zap reports, not for sarif/],
    [['zap', '--image', 'a'], /--image is for trivy(?:,| and) grype.* reports, not for zap/],
    [['zap', '--mode', 'fast'], /--mode/],
    [['nessus'], /Allowed choices are sarif, zap, trivy, grype/],
  ])('for its usage: %j', async ([kind = '', ...more], message) => {
    const { upload } = await newUploads();
    const answer = await upload(kind, oneResult, ...more);
    expect(answer).toMatchObject({ exitCode: 2, stdout: '' });
    expect(answer.stderr).toMatch(message);
  });
});

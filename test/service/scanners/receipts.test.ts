import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { containers } from '../../../src/procedures/containers.js';
import { dast } from '../../../src/procedures/dast.js';
import { sast } from '../../../src/procedures/sast.js';
import { isRecord } from '../../../src/shared/json/is-record.js';
import { dataFile, hasData } from '../../support/data.js';
import { startService, type TestService } from '../../support/service.js';
import { newScannedProject, reportText } from '../findings/scanned-project.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** Where the lists of rows are; `*` is each element. */
const placesOfRows = {
  sarif: ['runs.*.results'],
  zap: ['site.*.alerts'],
  grype: ['matches', 'ignoredMatches'],
  trivy: ['Vulnerabilities', 'Misconfigurations', 'Secrets', 'Licenses', 'ExperimentalModifiedFindings'].map(
    (list) => `Results.*.${list}`,
  ),
} as const;

type Kind = keyof typeof placesOfRows;

/** The lists themselves, not copies of them. */
function listsOf(kind: Kind, report: unknown): unknown[][] {
  const listsAt = (value: unknown, [key, ...rest]: readonly string[]): unknown[][] => {
    if (key === undefined) return Array.isArray(value) ? [value] : [];
    if (key === '*') return Array.isArray(value) ? value.flatMap((each) => listsAt(each, rest)) : [];
    return isRecord(value) ? listsAt(value[key], rest) : [];
  };
  return placesOfRows[kind].flatMap((place) => listsAt(report, place.split('.')));
}

function countOf(kind: Kind, text: string): number {
  if (text.trimStart().startsWith('<')) return text.split('<alertitem>').length - 1;
  return listsOf(kind, JSON.parse(text)).reduce((sum, rows) => sum + rows.length, 0);
}

async function upload(kind: Kind, report: unknown) {
  const { call } = await newScannedProject(service);
  const post = async (path: string, output: typeof sast.uploadReport.output) => {
    const type = typeof report === 'string' && report.startsWith('<') ? 'application/xml' : 'application/json';
    const { status, body } = await call('POST', path, report, { 'content-type': type });
    expect({ status, body }).toMatchObject({ status: 200 });
    return output.parse(body);
  };
  if (kind === 'sarif') return post('/sast/reports?source_repo=shop', sast.uploadReport.output);
  if (kind === 'zap') return post('/dast/reports', dast.uploadReport.output);
  return post('/containers/reports?image=acme/shop:1', containers.uploadReport.output);
}

const files = (['sarif', 'zap', 'trivy', 'grype'] as const).flatMap((kind) =>
  (hasData ? readdirSync(dataFile(kind)) : [])
    // A list without any report, which a test of Trivy's reports has.
    .filter((name) => name !== 'scb-test-empty-report.json')
    .map((name) => [kind, name] as const),
);

/** What a broken exporter may write instead of a row. */
const oddRows: readonly unknown[] = [null, 7, 'text', [], {}, { message: 'text' }, { vulnerability: null }];

describe.skipIf(!hasData)('the receipt of a real report', () => {
  test.each(files)('adds up: %s/%s', async (kind, name) => {
    const text = reportText(`${kind}/${name}`);
    const rows = countOf(kind, text);
    const { receipt, findings } = await upload(kind, text);
    const leftOut = receipt.left_out.reduce((sum, { count }) => sum + count, 0);
    expect(receipt).toMatchObject({ rows, taken: findings.total, skipped: 0, skipped_rows: [] });
    expect(receipt.taken + receipt.merged + leftOut).toBe(rows);
  });

  const inJson = files.filter(([, name]) => name.endsWith('.json') || name.endsWith('.sarif'));
  test.each(inJson)('adds up with odd rows between the others: %s/%s', async (kind, name) => {
    const text = reportText(`${kind}/${name}`);
    const whole = await upload(kind, text);
    const report: unknown = JSON.parse(text);
    let added = 0;
    for (const rows of listsOf(kind, report)) {
      for (let at = rows.length; at > 0; at -= 5) {
        rows.splice(at, 0, oddRows[added % oddRows.length]);
        added += 1;
      }
    }
    const { receipt } = await upload(kind, report);
    const leftOut = receipt.left_out.reduce((sum, { count }) => sum + count, 0);
    expect(receipt.rows).toBe(whole.receipt.rows + added);
    expect(receipt.taken + receipt.merged + receipt.skipped + leftOut).toBe(receipt.rows);
    expect(receipt).toMatchObject({ taken: whole.receipt.taken, merged: whole.receipt.merged });
    expect(receipt.skipped_rows).toHaveLength(Math.min(20, receipt.skipped));
  });
});

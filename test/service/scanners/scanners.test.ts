import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { reportUploads, type ScannerFormat, scannerFormats } from '../../../src/procedures/scanner-formats.js';
import { readReport, scanners } from '../../../src/service/scanners/index.js';
import type { Report, Scanner } from '../../../src/service/scanners/scanner.js';
import { grypeReport } from './grype/grype-report.js';
import { run, sarif } from './sarif/sarif-report.js';
import { trivyReport } from './trivy/trivy-report.js';
import { site, zap, zapXml } from './zap/zap-report.js';

const ids = scannerFormats.map(({ id }) => id).sort();

describe('a folder of src/service/scanners', () => {
  const folder = resolve(import.meta.dirname, '../../../src/service/scanners');

  test('is a listed format, and each listed format has one', () => {
    const entries = readdirSync(folder, { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect(folders.sort()).toEqual(ids);
  });

  test.each(ids)('%s has tests of its own', (id) => {
    const tests = resolve(import.meta.dirname, id);
    expect(existsSync(tests)).toBe(true);
    expect(readdirSync(tests).filter((file) => file.endsWith('.test.ts'))).not.toEqual([]);
  });
});

describe('a scanner', () => {
  const all: readonly (readonly [string, Scanner])[] = Object.entries(scanners);

  /** At least one report of each format. */
  const samples: Readonly<Record<ScannerFormat, readonly [Report, ...Report[]]>> = {
    sarif: [sarif(run([]))],
    zap: [zap(site('https://shop.example.com')), zapXml('')],
    trivy: [trivyReport('acme/shop:1', [])],
    grype: [grypeReport('acme/shop:1', [])],
  };

  test.each(ids)('of %s detects its reports, and no other does', (id) => {
    for (const report of samples[id]) {
      expect(all.filter(([, { detect }]) => detect(report)).map(([each]) => each)).toEqual([id]);
    }
  });

  test('that is the only one of its domain says what a report lacks', async () => {
    await expect(readReport('code', {})).rejects.toMatchObject({
      details: { errors: [{ field: 'report.version', reason: reportUploads.code.reason }] },
    });
  });

  test('is chosen by what its reports have', async () => {
    const { format, scan } = await readReport('containers', grypeReport('acme/shop:1', []));
    expect(format).toBe('grype');
    expect(scan.map(({ imageName }) => imageName)).toEqual(['acme/shop:1']);
    await expect(readReport('containers', { bomFormat: 'CycloneDX' })).rejects.toMatchObject({
      details: {
        detail: expect.stringMatching(/^report has neither SchemaVersion \(Trivy\)(?:,| nor) matches \(Grype\)/),
        errors: [{ field: 'report', reason: reportUploads.containers.reason }],
      },
    });
  });
});

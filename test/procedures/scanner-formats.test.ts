import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { reasons } from '../../src/procedures/problem.js';
import { scannerFormats } from '../../src/procedures/scanner-formats.js';

const guide = readFileSync(resolve(import.meta.dirname, '../../docs/scanners-in-ci.md'), 'utf8').split('\n');

describe('the list of report formats', () => {
  test.each(scannerFormats)('has $title in the guide', ({ id, title, domain, encodings }) => {
    const row = `| \`${id}\` | ${title} | ${encodings.join(' or ')} | \`${domain}\` | `;
    expect(guide.filter((line) => line.startsWith(row))).toHaveLength(1);
  });

  test('gives the errors for other reports their words', () => {
    expect(reasons).toMatchObject({
      not_sarif: 'is not a SARIF 2.1.0 report',
      not_zap: 'is not a ZAP report, in JSON or XML',
      not_container_report: expect.stringMatching(
        /^is not a container report of Trivy \(schema 2\)(?:,| or) Grype.*, in JSON$/,
      ),
    });
  });
});

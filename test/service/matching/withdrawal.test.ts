import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { osvRecordSchema } from '../../../src/service/matching/osv-record.js';
import { withdrawalOf } from '../../../src/service/matching/withdrawal.js';
import { dataFile, hasData } from '../../support/data.js';

const modified = '2025-01-02T00:00:00Z';

function withdrawal(fields: { summary?: string; details?: string; withdrawn?: string }): string | undefined {
  return withdrawalOf(osvRecordSchema.parse({ id: 'GHSA-1', modified, ...fields }))?.toISOString();
}

const changed = new Date(modified).toISOString();

test('OSV’s own field says when', () => {
  expect(withdrawal({ withdrawn: '2024-03-01T00:00:00Z', summary: 'Withdrawn: any' })).toBe('2024-03-01T00:00:00.000Z');
});

describe('without that field, a record is withdrawn since its last change where', () => {
  test.each([
    'Withdrawn: Arbitrary code execution in lodash',
    'WITHDRAWN: Directory traversal in FilesystemStore in github.com/gorilla/sessions',
    'Withdrawn Advisory: Netty-handler does not validate host names by default',
    '[Withdrawn] Prototype pollution',
    '(withdrawn) Prototype pollution',
    'Withdrawn - prototype pollution',
    'Prototype pollution (withdrawn)',
    'Duplicate Advisory: Scrapy decompression bomb vulnerability',
    'Withdrawn',
    'Rejected reason: not used',
    'REJECTED: Prototype pollution',
    '** REJECT ** DO NOT USE THIS CANDIDATE NUMBER.',
  ])('its title is %j', (summary) => {
    expect(withdrawal({ summary })).toBe(changed);
  });

  test.each([
    '# Withdrawn\n\nGitHub has chosen to publish this CVE as a withdrawn advisory.',
    'An attacker can write files.\n\n## Withdrawn Advisory\r\nThis link is kept.',
    'An attacker can write files.\n\n## Withdrawal\nThe unsoundness cannot be triggered.',
    '##Withdrawn: This advisory is for Kibana, not ElasticSearch.',
    '### Withdrawn\nAs per the mailing list, this affects one distribution.',
    '# CVE has been withdrawn\n\nVersions of three.js load untrusted iframes.',
    '## Duplicate Advisory\nThis advisory is a duplicate of [GHSA-6c3j-c64m-qhgq](https://example.com).',
    '## This advisory is withdawn.\n\ncacheable-request depends on another package.',
    '**Withdrawn:** Duplicate of GHSA-qcxh-w3j9-58qr',
    'Withdrawn: duplicate of GHSA-2m39-62fm-q8r3',
    'Withdrawn, accidental duplicate publish.\n\nCross-site scripting.',
    'Withdrawn by its CNA.',
    '(This report has been withdrawn with reason: "Does not affect Go code."). Other words.',
    'Words first. This advisory has been withdrawn because it has been found to be disputed.',
    'This CVE ID has been rejected or withdrawn by its CVE Numbering Authority.',
    'This vulnerability was misfiled under the wrong year and has been withdrawn.',
    '** REJECT ** DO NOT USE THIS CANDIDATE NUMBER. ConsultIDs: none.',
    'Rejected reason: This CVE ID was not used.',
  ])('its text says %j', (details) => {
    expect(withdrawal({ summary: 'Prototype pollution', details })).toBe(changed);
  });
});

describe('a record counts, although', () => {
  test.each([
    "XMLUI's metadata of withdrawn Items is exposed to anonymous users",
    'Withdrawn items can be read by anybody',
    'Money can be withdrawn twice',
    'Salt’s PAM auth fails to reject locked accounts',
    'Duplicate advisory locks lead to a deadlock',
    'Rejected requests are logged with their credentials',
  ])('its title is %j', (summary) => {
    expect(withdrawal({ summary })).toBeUndefined();
  });

  test.each([
    'Metadata on a withdrawn Item is exposed via the XMLUI "mets.xml" object.',
    'A user who signs up with an email and logs in, withdraws, or changes it may cause denial of service.',
    'This flaw was initially published as CVE-2024-21506, which has since been rejected as a duplicate of CVE-2024-5629.',
    'An earlier version of this advisory was withdrawn.',
    'This advisory was withdrawn in error and has been restored.',
    'This advisory has not been withdrawn.',
    'This CVE was rejected by the vendor, who calls it expected behaviour.',
    'This issue lets a request that was rejected be sent again.',
    '## Workarounds\nApplications can reject the documents.\n\n## Withdrawn items\nThey are shown.',
    'The first patch has been withdrawn; use the second.',
    '`Promise((resolve, reject) => {})` is never settled.',
    '** DISPUTED ** The maintainers do not agree.',
  ])('its text says %j', (details) => {
    expect(withdrawal({ summary: 'Prototype pollution', details })).toBeUndefined();
  });
});

test('a long text is read in time that grows with its length', () => {
  for (const part of ['\n', ' ', '# ', 'withdrawn ', 'this advisory ', '\n# withdrawn           x', 'this issue ']) {
    expect(withdrawal({ details: `x ${part.repeat(200_000)}x` })).toBeUndefined();
  }
});

test.skipIf(!hasData)('of the real records, 189 say so in their title or text', () => {
  const counts = ['ghsa-npm', 'ghsa-maven', 'ghsa-pypi', 'go-vulndb', 'rustsec'].map((file) => {
    const records = readFileSync(dataFile(`osv/${file}.ndjson`), 'utf8')
      .split('\n')
      .filter(Boolean);
    const read = records.map((line) => osvRecordSchema.parse(JSON.parse(line)));
    const byText = read.filter((each) => withdrawalOf({ ...each, withdrawn: null }) !== null);
    return [file, read.filter(({ withdrawn }) => withdrawn).length, byText.length];
  });
  // The raw records of GHSA lack the field.
  expect(counts).toEqual([
    ['ghsa-npm', 0, 70],
    ['ghsa-maven', 0, 62],
    ['ghsa-pypi', 0, 38],
    ['go-vulndb', 17, 17],
    ['rustsec', 13, 2],
  ]);
});

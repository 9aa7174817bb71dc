import { describe, expect, test } from 'vitest';
import { chooseCvss, parseCvss, severityOf } from '../../../src/service/matching/cvss.js';
import { osvRecordSchema } from '../../../src/service/matching/osv-record.js';
import { hasData } from '../../support/data.js';
import { readRecords } from './records.js';

describe('parseCvss', () => {
  test.each([
    // https://www.first.org/cvss/v2/guide section 3.3: CVE-2002-0392, CVE-2003-0818, CVE-2003-0062.
    ['AV:N/AC:L/Au:N/C:N/I:N/A:C', '2.0', 7.8],
    ['AV:N/AC:L/Au:N/C:C/I:C/A:C', '2.0', 10],
    ['AV:L/AC:H/Au:N/C:C/I:C/A:C', '2.0', 6.2],
    ['(AV:N/AC:M/Au:S/C:P/I:N/A:N)', '2.0', 3.5],
    ['AV:L/AC:H/Au:M/C:N/I:N/A:N', '2.0', 0],
    // https://www.first.org/cvss/v3-1/examples.
    ['CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:L/I:N/A:N', '3.1', 4.3],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N', '3.1', 6.1],
    ['CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:C/C:L/I:L/A:N', '3.1', 6.4],
    ['CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N', '3.1', 3.1],
    ['CVSS:3.1/AV:L/AC:L/PR:H/UI:N/S:U/C:L/I:L/A:L', '3.1', 4.2],
    ['CVSS:3.1/AV:A/AC:L/PR:N/UI:N/S:C/C:H/I:N/A:H', '3.1', 9.3],
    ['CVSS:3.1/AV:P/AC:L/PR:N/UI:N/S:U/C:N/I:H/A:N', '3.1', 4.6],
    ['CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', '3.0', 9.8],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H', '3.1', 10],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N', '3.1', 0],
    // https://www.first.org/cvss/v4-0/examples.
    ['CVSS:4.0/AV:L/AC:L/AT:P/PR:L/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', '4.0', 7.3],
    ['CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:P/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', '4.0', 7.7],
    ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:P/VC:N/VI:L/VA:N/SC:N/SI:N/SA:N', '4.0', 5.3],
    ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:L/VA:L/SC:N/SI:N/SA:N', '4.0', 8.8],
    ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H', '4.0', 10],
    ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:H/VA:L/SC:N/SI:H/SA:L', '4.0', 9.2],
    ['CVSS:4.0/AV:P/AC:H/AT:P/PR:H/UI:A/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H', '4.0', 7.3],
    ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:N/SC:N/SI:N/SA:N', '4.0', 0],
  ])('%s has the base score %s %d', (vector, version, score) => {
    expect(parseCvss(vector)).toMatchObject({ version, score, vector });
  });

  test('leaves threat and environmental metrics out of the base score', () => {
    const base = 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:L/VA:L/SC:N/SI:N/SA:N';
    expect(parseCvss(`${base}/E:U/CR:L/MAV:P`)?.score).toBe(parseCvss(base)?.score);
    expect(parseCvss('CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:L/I:N/A:N/E:U/RL:O')?.score).toBe(4.3);
  });

  test.each([
    ['CVSS:3.1/AV:A/AC:L/PR:N/UI:N/S:C/C:H/I:N/A:H', 'A'],
    ['AV:L/AC:H/Au:N/C:C/I:C/A:C', 'L'],
    ['CVSS:4.0/AV:P/AC:H/AT:P/PR:H/UI:A/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H', 'P'],
  ])('reads the attack vector of %s', (vector, attackVector) => {
    expect(parseCvss(vector)?.attackVector).toBe(attackVector);
  });

  test.each([
    '',
    'CVSS:3.1/AV:N',
    'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:L/I:N/A:X',
    'CVSS:3.1/AV:N/AV:L/AC:L/PR:L/UI:N/S:U/C:L/I:N/A:N',
    'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:L/I:N/A',
    'CVSS:5.0/AV:N/AC:L/PR:L/UI:N/S:U/C:L/I:N/A:N',
    'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:L/VA:L/SC:N/SI:N',
    'AV:P/AC:H/Au:N/C:C/I:C/A:C',
    '7.5',
    'A'.repeat(10_000),
  ])('does not read %j', (vector) => {
    expect(parseCvss(vector)).toBeNull();
  });
});

describe('chooseCvss', () => {
  const v2 = 'AV:N/AC:L/Au:N/C:N/I:N/A:C';
  const v30 = 'CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
  const v31 = 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:L/I:N/A:N';
  const v4 = 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:L/VA:L/SC:N/SI:N/SA:N';

  test('prefers 3.1, then 3.0, then 4.0, then 2.0', () => {
    expect(chooseCvss([v2, v4, v30, v31])?.version).toBe('3.1');
    expect(chooseCvss([v2, v4, v30])?.version).toBe('3.0');
    expect(chooseCvss([v2, v4])?.version).toBe('4.0');
    expect(chooseCvss([v2])?.version).toBe('2.0');
    expect(chooseCvss([])).toBeNull();
  });

  test('passes over a vector that is none', () => {
    expect(chooseCvss(['CVSS:3.1/AV:N', v4])?.version).toBe('4.0');
  });
});

test('bands follow the qualitative rating scale', () => {
  expect([0, 0.1, 3.9, 4, 6.9, 7, 8.9, 9, 10].map(severityOf)).toEqual([
    null,
    'low',
    'low',
    'moderate',
    'moderate',
    'high',
    'high',
    'critical',
    'critical',
  ]);
});

describe.skipIf(!hasData)('against the labels of GitHub', () => {
  const records = () =>
    (['ghsa-npm', 'ghsa-maven', 'ghsa-pypi'] as const).flatMap(readRecords).map((record) => {
      const { severity, database_specific: specific } = osvRecordSchema.parse(record);
      const vector = (type: string) => severity.find((each) => each.type === type)?.score;
      return { label: specific?.severity?.toLowerCase(), v3: vector('CVSS_V3'), v4: vector('CVSS_V4') };
    });
  const fits = (label: string | undefined, vector = '') => severityOf(parseCvss(vector)?.score ?? 0) === label;
  const share = (all: readonly { label: string | undefined }[], agree: readonly unknown[]) => agree.length / all.length;

  test('reads every vector, and the bands of the scores are the labels', () => {
    const all = records();
    const vectors = all.flatMap(({ v3, v4 }) => [v3, v4]).filter((vector) => vector !== undefined);
    expect(vectors.length).toBe(13_503);
    expect(vectors.filter((vector) => parseCvss(vector) === null)).toEqual([]);

    const v3Only = all.filter(({ v3, v4 }) => v3 !== undefined && v4 === undefined);
    expect(v3Only.length).toBe(8593);
    expect(
      share(
        v3Only,
        v3Only.filter(({ label, v3 }) => fits(label, v3)),
      ),
    ).toBeGreaterThan(0.985);

    // Where a record has both, GitHub labels by version 4; what that means for the choice stands at chooseCvss.
    const both = all.filter(({ v3, v4 }) => v3 !== undefined && v4 !== undefined);
    expect(both.length).toBe(2414);
    expect(
      share(
        both,
        both.filter(({ label, v4 }) => fits(label, v4)),
      ),
    ).toBeGreaterThan(0.95);
    expect(
      share(
        both,
        both.filter(({ label, v3 }) => fits(label, v3)),
      ),
    ).toBeLessThan(0.8);
  });
});

import { Cvss2, Cvss3P0, Cvss3P1, Cvss4P0 } from 'ae-cvss-calculator';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Cvss, parseCvss } from '../../../src/service/matching/cvss.js';
import { osvRecordSchema } from '../../../src/service/matching/osv-record.js';
import { hasData } from '../../support/data.js';
import { readRecords, recordFiles } from './records.js';

const impact = ['H', 'L', 'N'];
const impactV2 = ['N', 'P', 'C'];
const metricsV3 = {
  AV: ['N', 'A', 'L', 'P'],
  AC: ['L', 'H'],
  PR: ['N', 'L', 'H'],
  UI: ['N', 'R'],
  S: ['U', 'C'],
  C: impact,
  I: impact,
  A: impact,
};

const othersV3 = ['E:U', 'RL:O', 'RC:U', 'CR:L', 'MAV:P'];

interface Version {
  readonly prefix: string;
  /** The base metrics with their values, in the order of the specification. */
  readonly metrics: Readonly<Record<string, string[]>>;
  /** Threat and environmental metrics, which leave the base score as it is. */
  readonly others: string[];
  /** The base score by another implementation. */
  readonly oracle: (vector: string) => number | undefined;
}

const versions: Readonly<Record<Cvss['version'], Version>> = {
  '2.0': {
    prefix: '',
    metrics: {
      AV: ['L', 'A', 'N'],
      AC: ['H', 'M', 'L'],
      Au: ['M', 'S', 'N'],
      C: impactV2,
      I: impactV2,
      A: impactV2,
    },
    others: ['E:U', 'RL:OF', 'RC:UC', 'CDP:LM', 'CR:H'],
    oracle: (vector) => new Cvss2(vector).calculateScores().base,
  },
  '3.0': {
    prefix: 'CVSS:3.0/',
    metrics: metricsV3,
    others: othersV3,
    oracle: (vector) => new Cvss3P0(vector).calculateScores().base,
  },
  '3.1': {
    prefix: 'CVSS:3.1/',
    metrics: metricsV3,
    others: othersV3,
    oracle: (vector) => new Cvss3P1(vector).calculateScores().base,
  },
  '4.0': {
    prefix: 'CVSS:4.0/',
    metrics: {
      AV: ['N', 'A', 'L', 'P'],
      AC: ['L', 'H'],
      AT: ['N', 'P'],
      PR: ['N', 'L', 'H'],
      UI: ['N', 'P', 'A'],
      VC: impact,
      VI: impact,
      VA: impact,
      SC: impact,
      SI: impact,
      SA: impact,
    },
    others: ['E:U', 'CR:L', 'MAV:P', 'MVC:N', 'S:P'],
    oracle: (vector) => new Cvss4P0(vector).calculateScores().baseMetricsOnly,
  },
};

describe('base scores are those of another implementation', () => {
  test.each(Object.entries(versions))('any vector of %s', (version, { prefix, metrics, others, oracle }) => {
    const fields = Object.entries(metrics).map(([metric, values]) =>
      fc.constantFrom(...values).map((value) => `${metric}:${value}`),
    );
    const vector = fc
      .tuple(fc.tuple(...fields), fc.subarray(others))
      .map(([base, more]) => `${prefix}${[...base, ...more].join('/')}`);
    fc.assert(
      fc.property(vector, (text) => {
        const score = oracle(text) ?? Number.NaN;
        // The oracle answers -0 where CVSS 2.0 has no impact.
        expect(parseCvss(text)).toMatchObject({ version, score: score === 0 ? 0 : score });
      }),
      { numRuns: 1000 },
    );
  });

  test.skipIf(!hasData)('every vector of the real advisories', () => {
    const records = recordFiles.flatMap(readRecords).map((record) => osvRecordSchema.parse(record));
    const severities = records.flatMap(({ severity, affected }) => [
      severity,
      ...affected.map((each) => each.severity),
    ]);
    const vectors = severities.flat().filter(({ type }) => type.startsWith('CVSS_'));
    const distinct = [...new Set(vectors.map(({ score }) => score))];
    expect(distinct).toHaveLength(1361);
    const differing = distinct.filter((vector) => {
      const read = parseCvss(vector);
      return read === null || read.score !== versions[read.version].oracle(vector);
    });
    expect(differing).toEqual([]);
  });
});

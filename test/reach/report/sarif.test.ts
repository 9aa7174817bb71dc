import { describe, expect, test } from 'vitest';
import { procedures } from '../../../src/procedures/index.js';
import { sarifLog } from '../../../src/reach/report/sarif.js';
import { verdict } from '../commands/verdicts.js';
import { chainToQs, dependency, wireReport } from './wire-report.js';

const item = procedures.reachability.listVerdicts.output.shape.items.element;

/** The result of one verdict on qs 6.5.2. */
function resultOf(more: Parameters<typeof verdict>[1], report = wireReport()) {
  const wire = verdict('CVE-2022-24999', {
    package: { ecosystem: 'npm', name: 'qs', purl: 'pkg:npm/qs' },
    versions: ['6.5.2'],
    ...more,
  });
  const [result] = sarifLog(report, [item.parse(wire)], '9.8.7').runs[0]?.results ?? [];
  return result;
}

function withConfidence(confidence: 'high' | 'low') {
  const { evidence } = verdict('CVE-2022-24999');
  return { ...evidence, usage: { ...evidence.usage, confidence } };
}

describe('a SARIF result', () => {
  test('has no links in its message: names of packages and files have brackets', () => {
    const result = resultOf({ reasoning: 'pages/[id].tsx uses [qs](https://evil.invalid)' });
    expect(result?.message.text).toBe('pages/\\[id\\].tsx uses \\[qs\\](https://evil.invalid)');
  });

  test('says what is known exploited also where a member has ruled it not exploitable', () => {
    const { evidence } = verdict('CVE-2022-24999');
    const exploit = { ...evidence.exploit, kev: { date_added: '2026-01-02' } };
    expect(resultOf({ band: 'likely_not_exploitable', evidence: { ...evidence, exploit } })).toMatchObject({
      properties: { band: 'likely_not_exploitable', known_exploited: true },
    });
    expect(resultOf({})).toMatchObject({ properties: { known_exploited: false } });
  });

  test('carries the chain of files as a code flow; files of packages have names instead of places', () => {
    const result = resultOf({}, wireReport({ dependencies: [dependency({ chain: chainToQs })] }));
    expect(result).toMatchObject({
      codeFlows: [
        {
          message: { text: 'src/app.ts:12 -> express -> body-parser -> qs' },
          threadFlows: [
            {
              locations: [
                {
                  location: {
                    physicalLocation: {
                      artifactLocation: { uri: 'src/app.ts', uriBaseId: '%SRCROOT%' },
                      region: { startLine: 12 },
                    },
                  },
                },
                { location: { message: { text: 'pkg:npm/express@4.17.1 index.js:3' } } },
                { location: { logicalLocations: [{ name: 'lib/express.js', kind: 'module' }] } },
                {},
                { location: { message: { text: 'pkg:npm/qs@6.5.2 lib/index.js' } } },
              ],
            },
          ],
        },
      ],
    });
  });

  test('has no code flow where no chain is known', () => {
    expect(resultOf({})).not.toHaveProperty('codeFlows');
  });

  test.each([
    ['likely_not_exploitable', 'high', 'note'],
    ['likely_not_exploitable', 'low', 'warning'],
    ['needs_review', 'low', 'warning'],
    ['likely_exploitable', 'low', 'error'],
    ['unanalyzed', 'high', 'warning'],
  ] as const)('of %s with confidence %s has the level %s', (band, confidence, level) => {
    expect(resultOf({ band, evidence: withConfidence(confidence) })).toMatchObject({ level });
  });

  test('of a verdict that a member has overridden has the level of the override', () => {
    const override = {
      verdict: 'NotExploitable' as const,
      reason: 'no user input gets there',
      set_by: 'a member',
      set_at: '2026-01-02T03:04:05.000Z',
      expires_at: null,
      evidence_changed_since_override: false,
    };
    const result = resultOf({ band: 'likely_not_exploitable', evidence: withConfidence('low'), override });
    expect(result).toMatchObject({ level: 'note' });
  });
});

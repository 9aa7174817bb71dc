import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { worseFirst } from '../../../src/gateway/composites/worse-first.js';
import { whyRanked, worstOf } from '../../../src/gateway/composites/worst-of.js';
import { topFinding } from '../../../src/procedures/posture.js';
import { type RankedFinding, rankedFinding } from '../../../src/procedures/risk.js';
import { jsonBytes } from '../../../src/shared/text/cut.js';
import { finding, findings } from './arbitrary-finding.js';

const anyRoom = { bytes: Infinity, tokens: Infinity };
const shown = (given: Partial<RankedFinding>) => worstOf([finding(given)], 1, anyRoom)[0];

describe('the worst findings', () => {
  test('are as many as asked for, worst first', () => {
    fc.assert(
      fc.property(findings, fc.integer({ min: 1, max: 10 }), (all, count) => {
        expect(worstOf(all, count, anyRoom).map(({ domain, id }) => `${domain} ${id}`)).toEqual(
          all
            .toSorted(worseFirst)
            .slice(0, count)
            .map(({ domain, id }) => `${domain} ${id}`),
        );
      }),
    );
  });

  test('come with the tool that shows more, and short texts as they are', () => {
    expect(shown({})).toEqual({
      domain: 'dependencies',
      project: { id: 'prj_1', name: 'shop' },
      risk: 'reachable',
      why: 'imported; EffectivePriority 47',
      title: 'Prototype pollution',
      tier: 'YELLOW',
      cve: 'CVE-2021-23337',
      package: 'pkg:npm/lodash@4.17.11',
      location: null,
      effective_priority: 47,
      epss: 0.0055,
      kev: false,
      id: 'alr_1',
      tool: 'get_alert',
    });
  });

  test.each([
    ['dependencies', 'get_alert'],
    ['code', 'list_sast_findings'],
    ['running_app', 'list_dast_findings'],
    ['containers', 'list_container_findings'],
  ] as const)('of %s are shown by %s', (domain, tool) => {
    expect(shown({ domain })?.tool).toBe(tool);
  });
});

describe('why a finding ranks where it does', () => {
  test.each<[string, Partial<RankedFinding>]>([
    [
      'known to be exploited; used by reached code; EffectivePriority 100',
      { risk: 'known_exploited', usage: 'called', effective_priority: 100 },
    ],
    [
      'known to be exploited; RED, critical severity',
      {
        risk: 'known_exploited',
        domain: 'containers',
        usage: null,
        effective_priority: null,
        tier: 'RED',
        severity: 'critical',
      },
    ],
    [
      'ruled exploitable; brought in, or may be used; EffectivePriority 60',
      { risk: 'reachable', usage: 'transitive_only', effective_priority: 60 },
    ],
    ['loaded at run time; EffectivePriority 65.1', { risk: 'reachable', usage: 'loaded', effective_priority: 65.1 }],
    ['used by reached code; EffectivePriority 62.2', { usage: 'called', effective_priority: 62.199999999999996 }],
    ['in production code; YELLOW, high severity', { domain: 'code', usage: null, effective_priority: null }],
    [
      'brought in, or may be used; RED, critical severity; EPSS 94.4 %',
      { risk: 'critical', usage: 'transitive_only', tier: 'RED', severity: 'critical', epss: 0.94358 },
    ],
    ['RED, high severity; EPSS 0.043 %', { risk: 'critical', usage: null, tier: 'RED', epss: 0.00043 }],
    ['RED, unknown severity', { risk: 'critical', usage: null, tier: 'RED', severity: 'unknown', epss: null }],
    ['used in development only; EffectivePriority 0', { risk: 'other', usage: 'dev_only', effective_priority: 0 }],
    [
      'not used; GREEN, low severity',
      { risk: 'other', usage: 'not_used', effective_priority: null, tier: 'GREEN', severity: 'low' },
    ],
  ])('%s', (words, given) => {
    expect(whyRanked(finding(given))).toBe(words);
  });
});

/** Longer than any budget, in bytes that are hard to cut. */
const longTexts = [
  'x'.repeat(5_000),
  '反'.repeat(1_000),
  '👨‍👩‍👧‍👦'.repeat(400),
  '"\\'.repeat(500),
  '\u0001'.repeat(500),
  '\ud800'.repeat(500),
];

describe('a finding’s size', () => {
  const longest = (text: string) =>
    finding({
      id: 'i'.repeat(64),
      domain: 'dependencies',
      project: { id: 'p'.repeat(64), name: text },
      risk: 'known_exploited',
      title: text,
      cve: text,
      package: text,
      location: text,
      usage: 'transitive_only',
      effective_priority: 62.199999999999996,
      epss: 0.1234567890123456,
    });

  test.each(longTexts)('is bounded, whatever the texts: %#', (text) => {
    const [only] = worstOf([longest(text)], 1, anyRoom);
    expect(jsonBytes(only ?? {})).toBeLessThanOrEqual(560);
    expect(
      [only?.title, only?.project.name, only?.cve, only?.package, only?.location].every((kept) => kept?.endsWith('…')),
    ).toBe(true);
    expect(topFinding.parse(only)).toEqual(only);
    expect(rankedFinding.safeParse(longest(text)).success).toBe(true);
  });

  test('leaves texts the room that there is: what others do not need', () => {
    const own = { id: `alr_${'a'.repeat(20)}`, project: { id: `prj_${'a'.repeat(20)}`, name: 'shop' } };
    const title = 'Improper neutralisation of special elements used in a command allows remote code execution';
    const purl = 'pkg:maven/org.springframework.security/spring-security-web@5.7.1';
    expect(shown({ ...own, title, package: purl })).toMatchObject({
      title: 'Improper neutralisation of special elements used in a command allows remote c…',
      package: purl,
    });
    const crowded = shown({ ...own, title, package: purl, location: title, cve: 'CVE-2021-23337' });
    expect(jsonBytes(crowded ?? {})).toBeGreaterThan(500);
    expect(crowded?.cve).toBe('CVE-2021-23337');
  });
});

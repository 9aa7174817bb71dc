import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { AskPart, Part } from '../../../src/gateway/composites/composer.js';
import { composers } from '../../../src/gateway/composites/composers.js';
import type { Procedure } from '../../../src/procedures/define.js';
import { posture, type UnavailableReason } from '../../../src/procedures/posture.js';
import type { Domain } from '../../../src/procedures/risk.js';
import { finding } from './arbitrary-finding.js';

const since = '2026-03-04T00:00:00.000Z';
const zero = { new: 0, reopened: 0, resolved: 0, open: 0 };
const zeroWeek = { ...zero, before: 0 };
const noneOpen = { critical: 0, high: 0, medium: 0, low: 0, info: 0, unknown: 0 };
const noVerdicts = {
  known_exploited: 0,
  likely_exploitable: 0,
  needs_review: 0,
  likely_not_exploitable: 0,
  unanalyzed: 0,
};

type Input = Readonly<Record<string, unknown>>;

/** What a domain answers where everything is known of it. */
function coverageOf({ domain }: Input): object {
  const feeds = domain === 'dependencies' ? [{ ecosystem: 'npm', as_of: since, stale: false }] : [];
  return { status: 'not_affected', domains: [{ domain, status: 'not_affected' }], feeds, known: true, gaps: [] };
}

/** Asks nobody: each part answers as the test says, in wire form, or fails with a reason. */
function parts(answerOf: (part: Procedure, input: Input) => object | UnavailableReason) {
  const asked: Input[] = [];
  const ask: AskPart = async (part, input) => {
    asked.push(input);
    const answer = answerOf(part, input);
    return toPart(part, typeof answer === 'string' ? answer : { coverage: coverageOf(input), ...answer });
  };
  return { ask, asked };
}

function toPart<P extends Procedure>({ output }: P, given: object | UnavailableReason): Part<z.output<P['output']>> {
  if (typeof given === 'string') return { answered: false, reason: given };
  return { answered: true, answer: z.parse<P['output']>(output, given) };
}

describe('what is asked', () => {
  test('of the diff is each domain, for the project and the window', async () => {
    const { ask, asked } = parts((_part, { domain }) => ({ ...zero, domain, since, worst_new: [] }));
    const input = posture.getFindingsDiff.input.parse({ project_id: 'prj_1' });
    await composers.get_findings_diff({ input, ask });
    expect(asked).toEqual(
      ['dependencies', 'code', 'running_app', 'containers'].map((domain) => ({
        domain,
        project_id: 'prj_1',
        window_days: 7,
      })),
    );
  });

  test.each([
    [{ window_days: 0 }, false],
    [{ window_days: 1 }, true],
    [{ window_days: 90 }, true],
    [{ window_days: 91 }, false],
    [{ window_days: 1.5 }, false],
    [{ project_id: '../x' }, false],
    [{ days: 7 }, false],
  ])('%j: %s', (input, accepted) => {
    expect(posture.getFindingsDiff.input.safeParse(input).success).toBe(accepted);
  });
});

describe('the diff', () => {
  test('shows each domain’s counts, and the worst new ones of all', async () => {
    const { ask } = parts((_part, { domain }) => ({
      ...{ domain, since, open: 3, resolved: domain === 'code' ? 2 : 0, new: 5, reopened: 1 },
      worst_new: [1, 2, 3, 4, 5].map((nth) =>
        finding({ id: `${domain}_${nth}`, effective_priority: domain === 'code' ? 90 - nth : 91 - 10 * nth }),
      ),
    }));
    const diff = await composers.get_findings_diff({ input: { window_days: 7 }, ask });
    expect(diff).toMatchObject({
      since: new Date(since),
      window_days: 7,
      domains: {
        code: { new: 5, reopened: 1, resolved: 2, open: 3 },
        containers: { new: 5, reopened: 1, resolved: 0, open: 3 },
      },
      unavailable: [],
    });
    expect(diff.domains.code).not.toHaveProperty('worst_new');
    expect(diff.worst_new.map(({ effective_priority }) => effective_priority)).toEqual([89, 88, 87, 86, 85]);
  });

  test('takes the begin of its window from a domain that has answered', async () => {
    const { ask } = parts((_part, { domain }) =>
      domain === 'containers' ? { ...zero, domain, since, worst_new: [] } : 'timeout',
    );
    const diff = await composers.get_findings_diff({ input: { window_days: 7 }, ask });
    expect(diff).toMatchObject({ since: new Date(since), domains: { dependencies: null, containers: zero } });
  });
});

describe('the risks', () => {
  test('count what they do not rank, of the domains that have answered', async () => {
    const { ask } = parts((_part, { domain }) =>
      domain === 'code' ? 'plan_required' : { domain, risks: [], de_escalated: 2, triaged: 3 },
    );
    expect(await composers.get_top_risks({ input: {}, ask })).toEqual({
      risks: [],
      de_escalated: 6,
      triaged: 9,
      coverage: {
        status: 'unknown',
        domains: [
          { domain: 'dependencies', status: 'not_affected' },
          { domain: 'code', status: 'unknown' },
          { domain: 'running_app', status: 'not_affected' },
          { domain: 'containers', status: 'not_affected' },
        ],
        feeds: [{ ecosystem: 'npm', as_of: new Date(since), stale: false }],
        known: true,
        gaps: ['code could not answer: plan_required'],
      },
      unavailable: [{ domain: 'code', reason: 'plan_required' }],
    });
  });
});

describe('the coverage of all domains', () => {
  const risksWith = async (coverage: (domain: unknown) => object) => {
    const none = { risks: [], de_escalated: 0, triaged: 0 };
    const { ask } = parts((_part, { domain }) => ({
      ...{ domain, ...none },
      coverage: { ...coverageOf({ domain }), ...coverage(domain) },
    }));
    return (await composers.get_top_risks({ input: {}, ask })).coverage;
  };

  test('is not affected where each of them is', async () => {
    expect(await risksWith(() => ({}))).toMatchObject({ status: 'not_affected', gaps: [] });
  });

  test('is affected where one of them is, and unknown where one of them is', async () => {
    const one = (status: string) => (domain: unknown) => (domain === 'code' ? { status, gaps: ['old'] } : {});
    expect(await risksWith(one('affected'))).toMatchObject({ status: 'affected', gaps: ['old'] });
    expect(await risksWith(one('unknown'))).toMatchObject({ status: 'unknown', gaps: ['old'] });
  });

  test('names four gaps and feeds at most, the worst ones, and cuts them', async () => {
    const gaps = Array.from({ length: 6 }, (_, nth) => `${nth} ${'x'.repeat(190)}`);
    const feeds = (['npm', 'PyPI', 'Go', 'Maven', 'NuGet', 'RubyGems'] as const).map((ecosystem, nth) => ({
      ...{ ecosystem, stale: nth > 3 },
      as_of: nth === 5 ? null : `2026-03-0${nth + 1}T00:00:00.000Z`,
    }));
    const coverage = await risksWith(() => ({ status: 'unknown', gaps, feeds }));
    expect(coverage.feeds.map(({ ecosystem }) => ecosystem)).toEqual(['NuGet', 'PyPI', 'RubyGems', 'npm']);
    expect(coverage.gaps.map((gap) => gap.slice(0, 3))).toEqual(['0 x', '1 x', '2 x', 'and']);
    expect(coverage.gaps.at(-1)).toBe('and 3 more');
    expect(coverage.gaps.every((gap) => gap.length <= 80)).toBe(true);
  });
});

describe('the summary', () => {
  const summaryOf = (answer: (domain: Domain | 'verdicts') => object | UnavailableReason) =>
    composers.get_posture_summary({
      input: {},
      ask: parts((part, { domain }) => answer(part === posture.getVerdictCounts ? 'verdicts' : domainOf(domain))).ask,
    });
  const domainOf = (domain: unknown) => posture.getDomainSummary.input.shape.domain.parse(domain);
  const summaryFor = (domain: Domain) => ({
    domain,
    open: { ...noneOpen, high: 9 },
    acknowledged: 1,
    suppressed: 2,
    tiers: { red: { before: 12, new: 4, reopened: 1, resolved: 8, open: 9 }, yellow: zeroWeek, green: zeroWeek },
    worst: domain === 'code' ? null : finding({ id: domain, domain }),
  });

  test('adds up, by its RED findings for the trend', async () => {
    expect(await summaryOf((part) => (part === 'verdicts' ? noVerdicts : summaryFor(part)))).toMatchObject({
      open: { dependencies: { high: 9 }, running_app: { high: 9 } },
      acknowledged: 4,
      suppressed: 8,
      verdicts: noVerdicts,
      trend: 'RED 48 -> 36 over 7 days: 16 new, 4 reopened, 32 resolved',
      worst: [{ id: 'dependencies' }, { id: 'running_app' }, { id: 'containers' }],
      unavailable: [],
    });
  });

  test('names what is missing, last the verdicts, and a trend’s domains alone', async () => {
    const partial = await summaryOf((part) => {
      if (part === 'verdicts') return 'plan_required';
      return part === 'running_app' ? 'timeout' : summaryFor(part);
    });
    expect(partial).toMatchObject({
      open: { running_app: null },
      verdicts: null,
      trend: 'RED 36 -> 27 over 7 days: 12 new, 3 reopened, 24 resolved (without running_app)',
      unavailable: [
        { domain: 'running_app', reason: 'timeout' },
        { domain: 'verdicts', reason: 'plan_required' },
      ],
    });
  });

  test('knows no totals where no domain has answered', async () => {
    expect(await summaryOf((part) => (part === 'verdicts' ? noVerdicts : 'unavailable'))).toMatchObject({
      open: { dependencies: null, code: null, running_app: null, containers: null },
      acknowledged: null,
      suppressed: null,
      verdicts: noVerdicts,
      trend: 'not known: no domain could answer',
    });
  });
});

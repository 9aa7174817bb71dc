import type { ServerResponse } from 'node:http';
import { posture } from '../../src/procedures/posture.js';
import { type Domain, domain, type RankedFinding } from '../../src/procedures/risk.js';
import { ecosystems } from '../../src/shared/packages/ecosystem.js';
import { finding } from '../gateway/composites/arbitrary-finding.js';
import { type Answer, answerJson, procedureOf, type Seen } from './upstream.js';

export const midnight = '2026-03-04T00:00:00.000Z';

/** The names of parts in `unavailable`: a domain, or the verdict distribution. */
export const partNames = [...domain.options, 'verdicts'] as const;
export type PartName = (typeof partNames)[number];

/** The part that a request asks for. */
export function partOf({ url }: Pick<Seen, 'url'>): PartName {
  const { pathname } = new URL(url, 'http://service');
  const name = partNames.find((each) => pathname.startsWith(`/api/posture/${each}`));
  if (name === undefined) throw new Error(`${pathname} is no part`);
  return name;
}

/** A count that differs from domain to domain, so that a sum shows what is in it. */
export const countOf = { dependencies: 1_000, code: 200, running_app: 30, containers: 4 } as const;

/** The one finding of a domain: worse in `dependencies` than in `code`, and so on. */
export function findingOf(each: Domain): RankedFinding {
  const effective_priority = 90 - domain.options.indexOf(each);
  return finding({ id: `fnd_${each}`, domain: each, title: `of ${each}`, effective_priority });
}

const changesOf = (each: Domain) => {
  const count = countOf[each];
  return { new: count, reopened: count, resolved: 2 * count, open: 3 * count };
};

/** What a domain answers of its coverage, as long as it can be: every ecosystem is stale, and there are eight gaps. */
function coverageOf(each: Domain) {
  const feeds = ecosystems.map((ecosystem) => ({ ecosystem, as_of: midnight, stale: true }));
  return {
    status: 'affected',
    domains: [{ domain: each, status: 'affected' }],
    feeds: each === 'dependencies' ? feeds : [],
    known: true,
    gaps: Array.from({ length: 8 }, (_, nth) => `${each} gap ${nth} `.padEnd(200, 'x')),
  };
}

/** A part's answer with the counts of its domain and the given findings. */
export function partAnswer(
  seen: Seen,
  findingsOf: (each: Domain) => RankedFinding[] = (each) => [findingOf(each)],
): unknown {
  const name = partOf(seen);
  if (name === 'verdicts') {
    return { known_exploited: 5, likely_exploitable: 6, needs_review: 7, likely_not_exploitable: 8, unanalyzed: 9 };
  }
  const changes = changesOf(name);
  const weekly = { ...changes, before: 3 * countOf[name] };
  const coverage = coverageOf(name);
  switch (procedureOf(seen)) {
    case posture.getDomainDiff:
      return { domain: name, since: midnight, ...changes, worst_new: findingsOf(name).slice(0, 5), coverage };
    case posture.getDomainRisks:
      return {
        domain: name,
        risks: findingsOf(name).map((each) => ({ fix: null, ...each })),
        de_escalated: countOf[name],
        triaged: 2 * countOf[name],
        coverage,
      };
    default:
      return {
        domain: name,
        open: { critical: countOf[name], high: 0, medium: 0, low: 0, info: 0, unknown: 0 },
        acknowledged: countOf[name],
        suppressed: 2 * countOf[name],
        tiers: { red: weekly, yellow: weekly, green: weekly },
        worst: findingsOf(name)[0] ?? null,
        coverage,
      };
  }
}

/** A service that answers all parts. The test may replace the answers of some. */
export function postureService(replaced: Partial<Record<PartName, Answer>> = {}): Answer {
  return (res, seen, req) => (replaced[partOf(seen)] ?? answerPart)(res, seen, req);
}

export function answerPart(res: ServerResponse, seen: Seen): void {
  answerJson(res, 200, partAnswer(seen));
}

/** A gate for answers that wait until the test opens it. */
export function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

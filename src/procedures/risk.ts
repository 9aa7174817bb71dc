import * as z from 'zod';
import { findingSeverities } from '../shared/vulnerability-terms.js';
import { tier, usageClass } from './vulnerability.js';
import { id } from './wire.js';

/** Where findings come from; alerts are those of `dependencies`. */
export const domain = z.enum(['dependencies', 'code', 'running_app', 'containers']);
export type Domain = z.infer<typeof domain>;
export const domains = domain.options;

/**
 * What an open finding is ranked by first: known exploited, reachable in the code (an alert whose package is called or
 * imported, or that a member has ruled exploitable; a RED or YELLOW finding in production code), another RED one, any other.
 */
export const risk = z.enum(['known_exploited', 'reachable', 'critical', 'other']);

const rankedSeverity = z.enum([...findingSeverities, 'unknown']);

/** One open finding as a domain tells of it, with all that it is ranked by. */
export const rankedFinding = z.object({
  id,
  domain,
  project: z.object({ id, name: z.string() }),
  risk,
  title: z.string(),
  tier,
  severity: rankedSeverity,
  cve: z.string().nullable(),
  package: z.string().nullable().describe('package URL; name@version in an image'),
  location: z.string().nullable().describe('file and line, address, or image'),
  usage: usageClass.nullable(),
  effective_priority: z.number().nullable(),
  epss: z.number().nullable(),
  kev: z.boolean(),
});
export type RankedFinding = z.infer<typeof rankedFinding>;

/**
 * Where a finding without a verdict stands among EffectivePriorities (0-100): RED where the band `likely_exploitable`
 * begins, YELLOW where `needs_review` does.
 */
export const priorityOfTier = { RED: 60, YELLOW: 30, GREEN: 0 } as const;

/** An unknown EPSS counts as this probability, as in the tiers: unknown is not zero. */
export const unknownProbability = 0.01;

/**
 * Worst first: by risk; then by exploit probability among `critical` ones, by EffectivePriority among others. Ids make it
 * one order: each domain's worst, merged, are the worst of all.
 */
export function worseFirst(a: RankedFinding, b: RankedFinding): number {
  return (
    risk.options.indexOf(a.risk) - risk.options.indexOf(b.risk) ||
    scoreOf(b) - scoreOf(a) ||
    probabilityOf(b) - probabilityOf(a) ||
    rankedSeverity.options.indexOf(a.severity) - rankedSeverity.options.indexOf(b.severity) ||
    byText(a.id, b.id) ||
    domains.indexOf(a.domain) - domains.indexOf(b.domain)
  );
}

/** By code units, as a database orders by bytes what is ASCII. */
function byText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function scoreOf(finding: RankedFinding): number {
  if (finding.risk === 'critical') return probabilityOf(finding);
  return finding.effective_priority ?? priorityOfTier[finding.tier];
}

function probabilityOf({ epss }: RankedFinding): number {
  return epss ?? unknownProbability;
}

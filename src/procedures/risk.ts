import * as z from 'zod';
import { findingSeverities } from '../shared/vulnerability-terms.js';
import { scope, tier, usageClass } from './vulnerability.js';
import { id } from './wire.js';

/** Where findings come from. Those of `dependencies` are alerts. */
export const domain = z.enum(['dependencies', 'code', 'running_app', 'containers']);
export type Domain = z.infer<typeof domain>;
export const domains = domain.options;

/**
 * What an open finding is ranked by first: known exploited, reachable in the code, otherwise RED, any other. Reachable is
 * an alert whose package is called or imported, or that a member has overridden to exploitable, and a RED or YELLOW finding
 * in production code.
 */
export const risk = z.enum(['known_exploited', 'reachable', 'critical', 'other']);

const rankedSeverity = z.enum([...findingSeverities, 'unknown']);

/** One open finding of a domain, with all that it is ranked by. */
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

/** Versions that an upgrade names as replaced, at most. */
export const maxFrom = 3;

/**
 * What one upgrade of a finding's package closes. Of a dependency, `to` is a version that no known advisory affects, at or
 * above every version that it replaces. In an image it is the version that the report names as fixed.
 */
export const upgrade = z.object({
  package: z.string(),
  from: z.array(z.string()).max(maxFrom).describe('affected versions, the highest'),
  to: z.string().nullable().describe('closes all of closes; null: no safe version is known'),
  scope: scope.nullable(),
  direct: z.string().nullable().describe('direct dependency that brings it in; null: none, or not known'),
  closes: z.int().describe('open alerts or findings'),
  leaves: z.int().describe('open ones of the package that it does not close'),
  priority: z.number().nullable().describe('sum of the EffectivePriority it removes; null: no verdict'),
});
export type Upgrade = z.infer<typeof upgrade>;

/** The worst finding of those that one upgrade closes. */
export const rankedRisk = rankedFinding.extend({
  fix: upgrade.nullable().describe('null: nothing to upgrade is known'),
});
export type RankedRisk = z.infer<typeof rankedRisk>;

/**
 * The EffectivePriority (0-100) that a finding without a verdict is ranked by: for RED where the band `likely_exploitable`
 * begins, for YELLOW where `needs_review` does.
 */
export const priorityOfTier = { RED: 60, YELLOW: 30, GREEN: 0 } as const;

/** An unknown EPSS counts as this probability, as in the tiers: unknown is not zero. */
export const unknownProbability = 0.01;

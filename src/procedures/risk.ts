import * as z from 'zod';
import { findingSeverities } from '../shared/vulnerability-terms.js';
import { advisoryId, fixedVersionText, nameText, purlText, versionText } from './texts.js';
import { safeVersionStatus, scope, tier, usageClass } from './vulnerability.js';
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
  cve: advisoryId.nullable(),
  package: purlText.nullable().describe('package URL; name@version in an image'),
  location: z.string().nullable().describe('file and line, address, or image'),
  usage: usageClass.nullable(),
  effective_priority: z.number().nullable(),
  epss: z.number().nullable(),
  kev: z.boolean(),
});
export type RankedFinding = z.infer<typeof rankedFinding>;

/** Where a package in an image came from, as its layers say. */
export const imageLayer = z.enum(['base_image', 'own', 'unknown']);

/** Installed versions that an upgrade names, at most. */
export const maxSteps = 3;

/** One installed version of a package and where it goes. */
const upgradeStep = z.object({
  from: versionText.describe('affected version'),
  to: fixedVersionText
    .nullable()
    .describe(
      'nearest version without known flaws that have a fix; null: no safe version is known, or advisories are over 7 days old',
    ),
  status: safeVersionStatus
    .nullable()
    .describe('unverified: nothing here shows that it was published; null: in an image, or no target'),
  direct: purlText
    .nullable()
    .describe('nearest direct dependency that brings it in; `itself` where it is one; null: not known'),
});

/**
 * What an upgrade of a finding's package closes. Each affected version of a dependency has a target of its own: the nearest
 * version above it that no known advisory affects, or else one that only flaws without a fix affect. In an image the target
 * is the version that the report names as fixed.
 */
export const upgrade = z.object({
  package: nameText,
  steps: z.array(upgradeStep).max(maxSteps).describe('those of this finding first'),
  more: z.int().describe('affected versions not named'),
  scope: z
    .enum([...scope.options, 'base_image', 'own_layer'])
    .nullable()
    .describe(
      'in an image the layers that it came with: a newer base may bring what base_image needs; null: not known',
    ),
  closes: z.int().describe('open alerts or findings'),
  leaves: z.int().describe('open ones of the package that it is not known to close'),
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

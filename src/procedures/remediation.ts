import * as z from 'zod';
import { ecosystem } from '../shared/packages/ecosystem.js';
import { coverage } from './coverage.js';
import { defineQuery } from './define.js';
import { tierCounts } from './findings.js';
import { advisoryId, imageText, nameText, purlText, versionText } from './texts.js';
import { safeVersionStatus, scope, tier } from './vulnerability.js';
import { id, projectRef } from './wire.js';

/** What one plan names, at most. The rest is counted. */
export const planLimits = {
  /** That are asked for at most. */
  upgrades: 50,
  /** For each of them; then the rest is counted. With ten of them the answer is under 6,000 tokens. */
  characters: 800,
  steps: 4,
  edits: 6,
  cves: 3,
  sites: 3,
  stays: 5,
  versions: 3,
  images: 3,
  refreshed: 10,
  fixes: 5,
  lockfiles: 10,
} as const;

const step = z.object({
  from: versionText,
  to: versionText.describe('nearest known version that closes'),
  status: safeVersionStatus.describe(
    'unverified: nothing here shows that it was published, so nothing it closes is certain',
  ),
  jump: z
    .enum(['major', 'minor', 'patch', 'unknown'])
    .describe('major may break: below 1.0 the second number counts so'),
  how: z
    .enum(['direct', 'override', 'unknown'])
    .describe(
      'direct: the project asks for it; override: only others do, and no upgrade of theirs is known to bring it; unknown: no source says',
    ),
  all_versions: z.boolean().describe('the override names no version, so it replaces all that are installed'),
  brought_by: purlText.nullable().describe('purl of the nearest direct dependency'),
  edits: z.array(z.object({ file: z.string(), change: z.string() })).max(planLimits.edits),
  more_files: z.int(),
});

/** What newer versions inside the ranges of all who ask close: no file is edited, only lock files change. */
const refresh = z.object({
  packages: z.array(nameText).max(planLimits.refreshed).describe('with the worst alerts; run names all'),
  more_packages: z.int(),
  closes: z.int().describe('alerts; certain'),
  may_close: z.int(),
  known_exploited: z.int(),
  priority: z.number().nullable(),
  cves: z.array(advisoryId).max(planLimits.cves),
});

/** An upgrade of one package: each installed version that is affected has a target of its own. */
const upgrade = z.object({
  ecosystem,
  package: nameText,
  scope: scope.nullable().describe('of the affected versions, the nearest to production'),
  steps: z.array(step).max(planLimits.steps),
  more_steps: z.int(),
  fixes: z.array(z.string()).max(planLimits.fixes).describe('other packages that it brings to a good version'),
  more_fixes: z.int(),
  closes: z.int().describe('alerts, once the whole plan is done; certain'),
  may_close: z.int().describe('what new versions bring, or the tool’s resolver, decides'),
  leaves: z.int().describe('alerts on the package that stay; certain'),
  known_exploited: z.int().describe('of those closed'),
  priority: z.number().nullable().describe('EffectivePriority removed, in sum; null: no verdicts'),
  cves: z.array(advisoryId).max(planLimits.cves).describe('the worst of those closed'),
  sites: z
    .object({ total: z.int(), first: z.array(z.string()).max(planLimits.sites) })
    .nullable()
    .describe('imports that may break, as file:line; null: no usage report'),
});

const stays = z.object({
  alert_id: id,
  vulnerability: advisoryId,
  package: nameText,
  versions: z.array(versionText).max(planLimits.versions),
  tier,
  why: z
    .enum([
      'no_safe_version',
      'old_advisories',
      'newer_parent',
      'unreadable_version',
      'bundled',
      'carries_others',
      'parent_moves',
    ])
    .describe(
      'old_advisories: nothing is called safe by advisories over 7 days old or not complete; newer_parent: its tool has no override, so only what brings it in can; bundled: in another’s archive; carries_others: to closes it, in an archive of its own that no lock file has shown: upgrade it alone and sync; parent_moves: may close, as what brings it in moves',
    ),
  to: versionText.nullable().describe('of carries_others'),
  bundled_in: purlText.nullable().describe('purl of what carries it: only a newer one can fix it'),
});

const baseImage = z.object({
  image_id: id,
  image: imageText,
  from: imageText,
  to: imageText,
  delta: tierCounts.describe('change of open counts; negative is better'),
  why: z.string(),
  edit: z.object({ file: z.string(), line: z.int(), change: z.string() }).nullable(),
});

export const remediation = {
  plan: defineQuery({
    tool: 'get_fix_plan',
    beyond: true,
    http: 'GET /api/projects/{project_id}/remediation/plan',
    transactions: 'own',
    title: 'Plan the fixes',
    description:
      'What closes most of a project’s alerts: what a refresh inside the ranges does, then upgrades with versions and files to change, direct dependencies before overrides, and what stays open. Known exploited first, then EffectivePriority.',
    input: z.strictObject({
      project_id: projectRef,
      limit: z.int().min(1).max(planLimits.upgrades).default(10).describe('upgrades to name'),
      skip: z.int().min(0).max(10_000).default(0).describe('those named before'),
    }),
    output: z.object({
      refresh: refresh.nullable().describe('first: needs no edit, only run'),
      upgrades: z.array(upgrade).max(planLimits.upgrades),
      unnamed: z
        .object({ upgrades: z.int(), closes: z.int() })
        .describe('after those named: skip the named ones for the next'),
      run: z
        .array(
          z.object({
            lockfile: z.string(),
            delete_entries: z
              .array(z.string())
              .describe('of the lock file, first: Yarn 1 has no command that renews them'),
            commands: z.array(z.string()),
          }),
        )
        .max(planLimits.lockfiles)
        .describe('after the edits, beside each lock file'),
      stays_open: z.object({ total: z.int(), worst: z.array(stays).max(planLimits.stays) }),
      base_images: z.object({
        items: z.array(baseImage).max(planLimits.images),
        without_advice: z.int().describe('images asked that none is known to improve'),
        not_asked: z.int(),
      }),
      proof: z
        .object({
          open: z.int().describe('unresolved alerts now'),
          closes: z.int().describe('by all upgrades; certain'),
          may_close: z.int().describe('what new versions bring, or a resolver, decides'),
          left: z.int().describe('after a sync of the upgraded stack; certain'),
          not_planned: z.int().describe('alerts beyond the bound of one plan; they are in left'),
        })
        .describe(
          'the plan made in the lock files’ graph, and matched again; not known: what new versions bring in besides',
        ),
      coverage,
    }),
  }),
};

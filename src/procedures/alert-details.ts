import * as z from 'zod';
import { alertResolutions } from '../shared/vulnerability-terms.js';
import { actorKind } from './organisation.js';
import { override } from './reachability.js';
import { addressText, cweText, nameText, purlText, versionText } from './texts.js';
import { band, overrideVerdict, tier } from './vulnerability.js';
import { timestamp } from './wire.js';

/** What one alert shows at most. With all of it at its bound, the answer is under 6,000 tokens. */
export const detailLimits = {
  /** Characters. */
  title: 300,
  description: 1_500,
  references: 10,
  /** Characters of an address; longer ones are left out. */
  url: 300,
  paths: 3,
  /** Packages of one path. */
  steps: 16,
  /** Characters of all paths together. */
  pathText: 3_000,
  sites: 5,
  /** Characters of the names of their files, all together. */
  fileText: 3_000,
  /** Names that one site shows. */
  symbols: 5,
  /** Characters. */
  symbol: 80,
  /** Versions that an upgrade replaces. */
  from: 10,
} as const;

/** As OSV's types of references, in small letters. */
export const referenceKind = z.enum([
  'advisory',
  'fix',
  'report',
  'article',
  'discussion',
  'evidence',
  'detection',
  'introduced',
  'package',
  'git',
  'web',
]);
export type ReferenceKind = z.infer<typeof referenceKind>;

const fix = z.object({
  package: nameText,
  from: z.array(versionText).describe('affected versions in the stack'),
  to: versionText.describe('nearest version above them that no known advisory affects'),
  as_of: timestamp.describe('of the advisories that say so'),
  direct: purlText.nullable().describe('purl of the direct dependency that brings it in; null: none, or not known'),
  is_direct: z.boolean().nullable().describe('the project asks for it itself; null: not known'),
  closes_alerts: z.int().describe('open alerts of the project that this upgrade closes, this one included'),
});

/** What one alert answers besides its row in a list. */
export const alertDetails = {
  /** The advisory's own words, cut. */
  description: z.string().nullable(),
  cwes: z.array(cweText).describe('kinds of weakness, as CWE-79'),
  references: z.array(z.object({ kind: referenceKind, url: addressText })).max(detailLimits.references),
  /** The shortest ways, as purls, from a direct dependency to the package. Null where the graph of the stack is not known. */
  dependency_paths: z.array(z.array(purlText)).max(detailLimits.paths).nullable(),
  /** The first of the verdict's. Null without a verdict: no usage report was uploaded. */
  import_sites: z
    .object({
      total: z.int(),
      sites: z
        .array(z.object({ file: z.string(), line: z.int(), column: z.int(), symbols: z.array(z.string()) }))
        .max(detailLimits.sites),
    })
    .nullable(),
  fix: fix.nullable(),
  no_fix: z.enum(['resolved', 'no_safe_version', 'old_advisories']).nullable(),
  override: override.nullable(),
};

/** What differs between the evidence before and after a change of a verdict. */
const verdictCause = z.enum(['usage', 'kev', 'epss', 'cvss', 'exposure', 'versions', 'formula']);
export type VerdictCause = z.infer<typeof verdictCause>;

const entry = {
  id: z.string(),
  at: timestamp,
  exact: z.boolean().describe('false: only the day (UTC) is known'),
};
const by = z.object({ kind: actorKind, name: z.string() });

/** A machine verdict; `unanalyzed` and null where there was none. */
const judged = z.object({ band, effective_priority: z.number().nullable() });

/** One thing that happened to an alert. Of an override that replaces another, null is what stays as it was. */
export const historyEntry = z.discriminatedUnion('kind', [
  z.object({ ...entry, kind: z.literal('appeared') }),
  z.object({ ...entry, kind: z.literal('reopened') }),
  z.object({ ...entry, kind: z.literal('resolved'), resolution: z.enum(alertResolutions).nullable() }),
  z.object({ ...entry, kind: z.literal('acknowledged'), by, note: z.string().nullable() }),
  z.object({ ...entry, kind: z.literal('unacknowledged'), by }),
  z.object({ ...entry, kind: z.literal('tier_changed'), before: tier, after: tier }),
  z.object({
    ...entry,
    kind: z.literal('verdict_changed'),
    before: judged,
    after: judged,
    because: z.array(verdictCause),
  }),
  z.object({
    ...entry,
    kind: z.literal('override_set'),
    by,
    verdict: overrideVerdict.nullable(),
    reason: z.string().nullable(),
    expires_at: timestamp.nullable(),
  }),
  z.object({
    ...entry,
    kind: z.literal('override_cleared'),
    by,
    verdict: overrideVerdict.nullable(),
    reason: z.string().nullable(),
  }),
  z.object({
    ...entry,
    kind: z.literal('override_expired'),
    verdict: overrideVerdict.nullable(),
    reason: z.string().nullable(),
  }),
]);

import * as z from 'zod';
import { ecosystem } from '../shared/packages/ecosystem.js';
import { confidences, evidenceKinds, gapKinds, reportedUsages } from '../shared/vulnerability-terms.js';
import { purl, scope } from './vulnerability.js';
import { timestamp } from './wire.js';

/** Limits of a report: bytes of its JSON, dependencies, and what one dependency may list. */
export const usageReportLimits = {
  bytes: 8 * 1024 * 1024,
  dependencies: 100_000,
  sites: 50,
  symbols: 200,
  subpaths: 500,
  paths: 5,
  /** Reasons that one dependency names, and gaps that one ecosystem lists. */
  reasons: 5,
  gaps: 200,
  chain: 32,
} as const;

/** A path inside the analyzed tree: relative, with `/` between its parts, without `..` and control characters. */
const treePath = z
  .string()
  .min(1)
  .max(1024)
  .regex(/^[^\p{Cc}\\]+$/u, 'must not contain control characters or backslashes')
  .refine(
    (path) => !path.startsWith('/') && !path.split('/').includes('..'),
    'must be a path inside the tree, without ..',
  );

const name = z
  .string()
  .min(1)
  .max(256)
  .regex(/^[^\p{Cc}]+$/u, 'must not contain control characters');

const count = z.int().min(0);

/** The role of a file: production code, or something that does not run in production. */
const role = z.enum(['prod', 'test', 'config', 'script']);

/** Where a file names a package. Line and column count from 1; columns are UTF-16 code units. */
const usageSite = z.strictObject({
  file: treePath,
  line: z.int().min(1),
  column: z.int().min(1),
  kind: z.enum(['import', 'require', 'dynamic', 'reexport', 'resolve', 'mention']),
  role,
  reached: z.boolean().describe('an entry point reaches the file'),
  type_only: z.boolean(),
  subpath: name.nullable().describe('what follows the package name in the specifier'),
  symbols: z.array(name).max(usageReportLimits.symbols),
});

/**
 * A step of the way from an entry point to a package: a file of the project (`purl` is null), or of a package, relative to
 * its folder. `line` is where the file loads the next step; null for the last one, and where it is not known.
 */
const chainLink = z.strictObject({ purl: purl.nullable(), file: treePath, line: z.int().min(1).nullable() });

/** A place where the search for uses could not see what the code names. */
const searchGap = z.strictObject({
  kind: z.enum(gapKinds),
  file: treePath,
  line: z.int().min(1).nullable(),
  detail: name.describe('what could not be followed: a specifier, a kind of file'),
  hides: z.int().min(0).describe('how many packages it could hide'),
});

/** What was searched for the packages of one ecosystem. */
const searchedEcosystem = z.strictObject({
  ecosystem,
  packages: count,
  files: count.describe('source files of its languages that were read'),
  evidence: z.array(z.enum(evidenceKinds)).describe('what the usages rest on'),
  judged: count.describe('packages whose search was complete, or that are seen to be used'),
  gaps: z.array(searchGap).max(usageReportLimits.gaps),
  gap_count: count,
});

const reportedDependency = z.strictObject({
  purl,
  scope,
  direct: z.boolean(),
  usage: z.enum(reportedUsages),
  counts: z.strictObject({
    prod: count,
    reached: count,
    test: count,
    config: count,
    script: count,
    type: count,
    mock: count,
  }),
  sites: z.array(usageSite).max(usageReportLimits.sites),
  subpaths: z
    .array(z.string().max(256))
    .max(usageReportLimits.subpaths)
    .optional()
    .describe('all that production imports have behind the package name; empty text: the name alone'),
  symbols: z.array(name).max(usageReportLimits.symbols).describe('all names that production code references'),
  symbols_complete: z.boolean().describe('false where a namespace or a dynamic access hides some'),
  introduced_by: z.array(purl).max(usageReportLimits.symbols).describe('direct dependencies that bring it in'),
  paths: z.array(z.array(purl).max(64)).max(usageReportLimits.paths),
  evidence: z.enum(['import', 'mention', 'graph', 'none']),
  confidence: z.enum(confidences).optional(),
  gaps: z
    .array(name)
    .max(usageReportLimits.reasons)
    .optional()
    .describe('why a use may have been missed; empty: the search was complete for this package'),
  chain: z.array(chainLink).max(usageReportLimits.chain).optional(),
  truncated: z.boolean().describe('more sites, symbols or paths than the limits were found'),
});

/**
 * Usage report `reach/1`: how a source tree uses each package of its dependency graph. It names files, lines and symbols,
 * and never contains source text.
 */
export const usageReport = z.strictObject({
  schema: z.literal('reach/1'),
  tool: z.strictObject({ name, version: name }),
  generated_at: timestamp,
  commit: z
    .string()
    .regex(/^[0-9a-f]{7,64}$/, 'is a commit hash in hexadecimal')
    .nullable(),
  lockfiles: z.array(z.strictObject({ path: treePath, sha256: z.string().regex(/^[0-9a-f]{64}$/) })).max(1000),
  stats: z.strictObject({
    files: count,
    bytes: count,
    parse_errors: count,
    searched: count.default(0).describe('files that were not parsed, but searched for the names of packages'),
    skipped: count.describe('files that were neither parsed nor searched'),
    unresolved: count,
    unknown_dynamic: count,
    duration_ms: z.number().min(0),
  }),
  entries: z.array(z.strictObject({ file: treePath, why: name })).max(10_000),
  complete: z.boolean().describe('nothing was found that could hide a use of any package'),
  ecosystems: z.array(searchedEcosystem).optional(),
  dependencies: z.array(reportedDependency).max(usageReportLimits.dependencies),
});

export type UsageReport = z.output<typeof usageReport>;

import * as z from 'zod';
import { defineQuery } from './define.js';
import { findingSeverity, findingState, tierCounts } from './findings.js';
import { domain } from './risk.js';
import { addressText, advisoryId, imageText, versionText } from './texts.js';
import { exposure, packageRef, severity, tier } from './vulnerability.js';
import { id, line, someProjects, timestamp } from './wire.js';

/** Results of each kind that one search names, and the number up to which they are counted. */
export const maxFound = 5;
export const maxFoundCount = 100;

/** Results of one kind, the best first. */
const found = <Row extends z.ZodType>(row: Row) =>
  z.object({
    items: z.array(row).max(maxFound),
    total: z.int().describe(`${maxFoundCount}: so many, or more`),
    has_more: z.boolean(),
  });

const project = z.object({ id, name: z.string() });
const alerts = tierCounts.describe('unresolved');

const foundPackage = packageRef.extend({
  projects: z.int().describe('that track it'),
  versions: z.int().describe('that are tracked'),
  alerts,
  places: z
    .array(z.object({ project, item_id: id, version: versionText }))
    .max(maxFound)
    .describe('one in each of some projects, by the project’s name'),
});

const foundVulnerability = z.object({
  id: advisoryId.describe('the CVE; of an advisory without one, its own id'),
  aliases: z.array(advisoryId),
  title: z.string(),
  severity: severity.nullable(),
  kev: z.boolean(),
  malicious: z.boolean(),
  projects: z.int().describe('with anything unresolved about it'),
});

const foundFinding = z.object({
  id,
  project,
  domain,
  rule_id: z.string(),
  title: z.string(),
  severity: findingSeverity,
  tier,
  state: findingState,
  source: z.string().describe('repository, site or image'),
});

/** One box for everything that has a name. */
export const search = defineQuery({
  tool: 'search',
  beyond: true,
  http: 'GET /api/search',
  title: 'Search',
  description:
    'Projects, packages, vulnerabilities, images and findings by name or id, in any case: the best few of each kind.',
  input: z.strictObject({ q: line(200).min(2), ...someProjects }),
  output: z.object({
    projects: found(project.extend({ exposure, repo: addressText.nullable(), alerts })),
    packages: found(foundPackage),
    vulnerabilities: found(foundVulnerability),
    images: found(z.object({ id, project, ref: imageText, tiers: tierCounts, scanned_at: timestamp })),
    findings: found(foundFinding),
  }),
});

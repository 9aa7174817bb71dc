import * as z from 'zod';
import { ecosystem } from '../shared/packages/ecosystem.js';
import { packageName, packageVersion } from '../shared/packages/package-name.js';
import { coverage, coverageOfNone } from './coverage.js';
import { defineProcedure, defineQuery } from './define.js';
import { tierCounts } from './findings.js';
import { receipt } from './receipt.js';
import { nameText, purlText, versionText } from './texts.js';
import { maxUnreadParts, unreadPart } from './unread.js';
import { packageHealth, packageInput, scope, severity } from './vulnerability.js';
import {
  changedSince,
  deleted,
  expectedRevision,
  forPrograms,
  id,
  jsonObject,
  line,
  ofProject,
  pageInput,
  pageOf,
  projectRef,
  someProjects,
  timestamp,
} from './wire.js';

/** Bytes of a whole stack: a lock file's packages, or an SBOM. */
const maxBytes = 64 * 1024 * 1024;

/** Packages in one sync: more than any known lock file has, and few enough for one request. */
const maxPackages = 100_000;

const techStackItem = z.object({
  id,
  ecosystem,
  name: nameText,
  version: versionText,
  purl: purlText,
  scope,
  direct: z.boolean().nullable(),
  source: z.string().describe('manual, or the manifest it was synced from'),
  health: packageHealth,
  revision: z.int(),
  added_at: timestamp,
  updated_at: timestamp,
});

/** Components that one answer about the graph names beside the asked one, at most; `total` counts all. */
export const maxNeighbours = 50;

/** Packages that carry one package in their archives; one is the rule. */
export const maxBundlers = 100;

/** Manifests of one project that ask for one package. */
export const maxAskers = 50;

/** Ways from direct dependencies that one answer names, and components of each, at most. */
export const maxPaths = 5;
export const maxPathLength = 30;

/** Whether a list of components is all of them. */
const completeness = z.enum(['complete', 'incomplete', 'unknown']);

/** A component of the dependency graph: a tracked package, or one that no feed is compared with. */
const graphNode = z.object({
  item_id: id.nullable().describe('null: a component of an SBOM that is no tracked package'),
  ecosystem: ecosystem.nullable(),
  name: nameText,
  version: versionText.nullable(),
  purl: purlText.nullable(),
  scope,
  direct: z.boolean().nullable(),
  alerts: tierCounts.nullable().describe('unresolved; null: no feed is compared with it'),
});

const neighbours = z.object({
  items: z.array(graphNode).max(maxNeighbours),
  total: z.int(),
  known: completeness,
});

const syncedPackage = packageInput({
  scope: scope.default('runtime'),
  direct: z.boolean().optional().describe('the project asks for it itself'),
  deprecated: z.string().max(2000).optional().describe('the maintainers’ words'),
  dependencies: z.array(z.int().min(0)).max(10_000).optional().describe('indexes in packages; omit if unknown'),
  ranges: z
    .array(z.string().max(200))
    .max(10_000)
    .optional()
    .describe('that it asks of each of dependencies; empty: unknown')
    .meta(forPrograms),
  asked_by: z
    .array(
      z.strictObject({
        file: line(200),
        range: line(200).nullable(),
        override: line(200).optional().describe('it overrides what others ask for: its text before the range'),
      }),
    )
    .max(maxAskers)
    .optional()
    .describe('manifests that ask for it, relative to the lock file')
    .meta(forPrograms),
  bundled_in: z.array(z.int().min(0)).max(maxBundlers).optional().describe('indexes: whose archive carries it'),
  incomplete: z.boolean().optional().describe('dependencies lacks some'),
});

/** Ratings and analysis are the document's; its text is not ours. */
const reportedVulnerability = z.object({
  id,
  source: z.string(),
  vulnerability_id: z.string(),
  aliases: z.array(z.string()),
  affects: z.array(z.string()).describe('package URLs, or names'),
  severity: severity.nullable().describe('the worst of its ratings'),
  ratings: z.array(
    z.object({
      source: z.string().nullable(),
      severity: z.string().nullable(),
      score: z.number().nullable(),
      method: z.string().nullable(),
      vector: z.string().nullable(),
    }),
  ),
  description: z.string().nullable(),
  recommendation: z.string().nullable(),
  analysis_state: z.string().nullable().describe('CycloneDX, as not_affected'),
  analysis_detail: z.string().nullable(),
  alert_id: z.string().nullable().describe('the alert on it; null: no advisory here gives one'),
  updated_at: timestamp,
});

const syncResult = {
  source: z.string(),
  added: z.int(),
  updated: z.int(),
  removed: z.int(),
  unchanged: z.int(),
  alerts: z.object({ opened: z.int(), reopened: z.int(), resolved: z.int() }),
  coverage,
};

const itemId = id.describe('of list_tech_stack');

const force = z.boolean().optional().describe('remove most of the source’s packages');

export const techStack = {
  list: defineQuery({
    tool: 'list_tech_stack',
    http: 'GET /api/projects/{project_id}/tech-stack',
    everywhere: 'GET /api/tech-stack',
    title: 'List the tech stack',
    description:
      'Where a package is used, in which version, what brings it in: tracked packages with licences, health and alerts.',
    input: pageInput({
      ...someProjects,
      ...changedSince,
      package: line(200).optional().describe('part of its name'),
      version: packageVersion.optional(),
      introduced_by: line(200).optional().describe('name of what brings it in'),
      licence: line(200).optional().describe('part of one, as GPL'),
      ecosystem: ecosystem.optional(),
      scope: scope.optional(),
      direct: z.boolean().optional().describe('the project asks for it itself'),
      at_risk: z.boolean().optional().describe('has alerts or poor health'),
    }),
    output: pageOf(
      techStackItem.extend({
        licences: z.array(z.string()).describe('SPDX ids or expressions, or names; empty: its source gives none'),
        introduced_by: purlText
          .nullable()
          .optional()
          .describe(
            'with package: purl of the nearest direct dependency that brings it in, or itself; null: not known',
          ),
        alerts: tierCounts.describe('unresolved'),
        ...ofProject,
      }),
    ).extend({ coverage: coverageOfNone }),
    summary: [
      ...['id', 'ecosystem', 'name', 'version', 'scope', 'direct', 'source', 'licences', 'introduced_by'],
      ...[
        'health.deprecated',
        'health.unmaintained_since',
        'health.malicious',
        'health.replacement',
        'alerts',
        'project',
      ],
    ],
  }),
  getDependencies: defineQuery({
    tool: 'get_dependencies',
    beyond: true,
    http: 'GET /api/projects/{project_id}/tech-stack/{item_id}/dependencies',
    title: 'Get a package’s place in the graph',
    description:
      'What brings a tracked package in, and what it brings in, as its source says: shortest ways from direct dependencies.',
    input: z.strictObject({ project_id: projectRef, item_id: itemId }),
    output: z.object({
      item: graphNode.extend({ source: z.string() }),
      parents: neighbours.describe('that need it; those with alerts first'),
      children: neighbours.describe('that it needs; those with alerts first'),
      paths: z.object({
        items: z
          .array(z.array(graphNode).max(maxPathLength))
          .max(maxPaths)
          .describe('each from a direct dependency to the package itself, the shortest first'),
        total: z.int().describe('direct dependencies that lead to it; itself if it is one'),
        known: completeness,
      }),
      coverage,
    }),
  }),
  add: defineProcedure({
    tool: 'add_tech_stack_item',
    access: 'write',
    http: 'POST /api/projects/{project_id}/tech-stack',
    title: 'Add a package',
    description: 'Tracks one package; alerts follow at once. For many: sync_tech_stack.',
    input: z.strictObject({
      project_id: projectRef,
      ecosystem,
      name: packageName,
      version: packageVersion,
      scope: scope.default('runtime'),
    }),
    output: techStackItem,
  }),
  update: defineProcedure({
    tool: 'update_tech_stack_item',
    access: 'write',
    idempotent: true,
    http: 'PATCH /api/projects/{project_id}/tech-stack/{item_id}',
    title: 'Update a package',
    description: 'Changes a tracked package’s version or scope in place; alerts follow at once.',
    input: z.strictObject({
      project_id: projectRef,
      item_id: itemId,
      version: packageVersion.optional(),
      scope: scope.optional(),
      expected_revision: expectedRevision,
    }),
    output: techStackItem,
  }),
  remove: defineProcedure({
    tool: 'remove_tech_stack_item',
    access: 'destructive',
    http: 'DELETE /api/projects/{project_id}/tech-stack/{item_id}',
    title: 'Remove a package',
    description: 'Stops tracking a package; its alerts resolve.',
    input: z.strictObject({ project_id: projectRef, item_id: itemId }),
    output: deleted,
  }),
  sync: defineProcedure({
    tool: 'sync_tech_stack',
    access: 'destructive',
    http: 'POST /api/projects/{project_id}/tech-stack/sync',
    maxBytes,
    title: 'Sync the tech stack',
    description:
      'Makes the items of this source exactly the given packages. Other sources stay. Alerts follow at once.',
    input: z.strictObject({
      project_id: projectRef,
      source: line(200).describe('repository and manifest, as github.com/acme/shop:package-lock.json'),
      former: line(200).optional().describe('the source’s name before'),
      force,
      packages: z.array(syncedPackage).max(maxPackages),
      unread: z
        .array(unreadPart)
        .max(maxUnreadParts)
        .optional()
        .describe('named there, and no package at one version')
        .meta(forPrograms),
      tool: line(100)
        .optional()
        .describe(
          'that writes the lock file, as pnpm@11.21.0; for pnpm, ` package.json` behind it where that file has overrides',
        )
        .meta(forPrograms),
    }),
    output: z.object({
      ...syncResult,
      former: z
        .object({ source: z.string(), taken_over: z.boolean(), packages: z.int(), same: z.int() })
        .nullable()
        .describe('what the former name had; not taken_over: it stays'),
    }),
  }),
  uploadSbom: defineProcedure({
    access: 'destructive',
    http: 'POST /api/projects/{project_id}/tech-stack/sbom',
    body: 'document',
    mediaTypes: ['application/xml', 'text/xml', 'application/vnd.cyclonedx+xml'],
    maxBytes,
    title: 'Upload an SBOM',
    description:
      'CycloneDX 1.2-1.7 (JSON, or XML as text), SPDX 2.2, 2.3 or 3.0 (JSON). Syncs the stack with its components, under its own source. Removing most of a source’s packages needs force.',
    input: z.strictObject({
      project_id: projectRef,
      force,
      source: line(200).optional().describe('default: sbom, with the name of the component it describes'),
      document: z.union([jsonObject, z.string()]),
    }),
    output: z.object({
      ...syncResult,
      format: z.string().describe('as CycloneDX 1.6'),
      receipt: receipt.describe('of its components'),
      not_matched: z
        .object({
          count: z.int(),
          types: z.array(z.object({ type: z.string(), count: z.int() })).describe('of package URLs'),
          note: z.string().nullable(),
        })
        .describe('taken, but no feed is compared with them'),
      dependencies: z.int().describe('edges between components'),
      vulnerabilities: receipt
        .extend({ without_alert: z.int().describe('no advisory here gives an alert for them') })
        .describe('that the document states'),
    }),
  }),
  listReportedVulnerabilities: defineQuery({
    http: 'GET /api/projects/{project_id}/tech-stack/reported-vulnerabilities',
    title: 'List vulnerabilities that SBOMs state',
    description: 'Vulnerabilities in uploaded SBOMs, the worst first, in the words of who wrote them.',
    input: pageInput({ project_id: projectRef }),
    output: pageOf(reportedVulnerability),
  }),
};

import * as z from 'zod';
import { ecosystem } from '../shared/packages/ecosystem.js';
import { packageName, packageVersion } from '../shared/packages/package-name.js';
import { coverage, coverageOfNone } from './coverage.js';
import { defineProcedure, defineQuery } from './define.js';
import { packageHealth, packageInput, scope } from './vulnerability.js';
import { deleted, expectedRevision, id, jsonObject, line, pageInput, pageOf, timestamp } from './wire.js';

/** Bytes of a whole stack: a lock file's packages, or an SBOM. */
const maxBytes = 64 * 1024 * 1024;

/** Packages in one sync: more than any known lock file has, and few enough for one request. */
const maxPackages = 100_000;

const techStackItem = z.object({
  id,
  ecosystem,
  name: z.string(),
  version: z.string(),
  purl: z.string(),
  scope,
  direct: z.boolean().nullable(),
  source: z.string().describe('manual, or the manifest it was synced from'),
  health: packageHealth,
  revision: z.int(),
  added_at: timestamp,
  updated_at: timestamp,
});

const syncedPackage = packageInput({
  scope: scope.default('runtime'),
  direct: z.boolean().optional(),
  deprecated: z.string().max(2000).optional(),
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

export const techStack = {
  list: defineQuery({
    tool: 'list_tech_stack',
    http: 'GET /api/projects/{project_id}/tech-stack',
    title: 'List the tech stack',
    description: 'A project’s tracked packages with health flags, by name.',
    input: pageInput({ project_id: id }),
    output: pageOf(techStackItem).extend({ coverage: coverageOfNone }),
  }),
  add: defineProcedure({
    tool: 'add_tech_stack_item',
    access: 'write',
    http: 'POST /api/projects/{project_id}/tech-stack',
    title: 'Add a package',
    description: 'Tracks one package; alerts follow at once.',
    input: z.strictObject({
      project_id: id,
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
    http: 'PATCH /api/projects/{project_id}/tech-stack/{item_id}',
    title: 'Update a package',
    description: 'Changes a tracked package’s version or scope in place; alerts follow at once.',
    input: z.strictObject({
      project_id: id,
      item_id: id,
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
    input: z.strictObject({ project_id: id, item_id: id }),
    output: deleted,
  }),
  sync: defineProcedure({
    tool: 'sync_tech_stack',
    access: 'destructive',
    http: 'POST /api/projects/{project_id}/tech-stack/sync',
    maxBytes,
    title: 'Sync the tech stack',
    description:
      'Makes the items of this source exactly the given packages: adds, updates, removes. Other sources stay.',
    input: z.strictObject({
      project_id: id,
      source: line(200).describe('the manifest, as package-lock.json'),
      packages: z.array(syncedPackage).max(maxPackages),
    }),
    output: z.object(syncResult),
  }),
  uploadSbom: defineProcedure({
    access: 'destructive',
    http: 'POST /api/projects/{project_id}/tech-stack/sbom',
    body: 'document',
    maxBytes,
    title: 'Upload an SBOM',
    description: 'CycloneDX JSON 1.2-1.7. Syncs the stack with its components, under its own source.',
    input: z.strictObject({
      project_id: id,
      source: line(200).optional().describe('default: sbom, with the name of the component it describes'),
      document: jsonObject,
    }),
    output: z.object({
      ...syncResult,
      skipped: z.array(z.object({ reason: z.string(), count: z.int() })),
    }),
  }),
};

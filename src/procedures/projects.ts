import * as z from 'zod';
import { defineProcedure, defineQuery } from './define.js';
import { tierCounts } from './findings.js';
import { domain } from './risk.js';
import { addressText } from './texts.js';
import { exposure } from './vulnerability.js';
import {
  changedSince,
  clears,
  deleted,
  expectedRevision,
  forPrograms,
  givenName,
  groupRef,
  id,
  pageInput,
  pageOf,
  projectRef,
  prose,
  someOf,
  timestamp,
} from './wire.js';

const repo = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address, as https://github.com/acme/shop' })
  .max(2048);

/** The group that a project is in, with the one that this is in. */
export const groupOfProject = z.object({
  ...{ id, name: z.string() },
  parent: z.object({ id, name: z.string() }).optional(),
});

const project = z.object({
  id,
  name: z.string(),
  description: z.string().nullable(),
  exposure,
  repo: addressText.nullable(),
  group: groupOfProject.nullable(),
  revision: z.int(),
  created_at: timestamp,
  updated_at: timestamp,
});

/** A project is ranked by these figures where the worst come first. */
const figures = {
  known_exploited: z.int().optional().describe('with sort worst: open alerts and findings of all domains'),
  highest_effective_priority: z.number().nullable().optional().describe('with sort worst'),
  open: tierCounts.optional().describe('with sort worst'),
};

/** For admins: no API key may assign projects, so agents are not shown it. */
const assignedGroup = groupRef.meta(forPrograms);

export const projects = {
  list: defineQuery({
    tool: 'list_projects',
    http: 'GET /api/projects',
    title: 'List projects',
    description:
      'Projects by name; sort worst: which needs work first, with figures. project_id and group take names too.',
    input: pageInput({
      group: groupRef.optional(),
      sort: z.enum(['name', 'worst']).optional(),
      ...changedSince,
      never_scanned: someOf(domain).optional(),
    }),
    output: pageOf(project.extend(figures)),
  }),
  get: defineQuery({
    tool: 'get_project',
    http: 'GET /api/projects/{project_id}',
    title: 'Get a project',
    description: 'A project’s exposure, repository and revision. For its findings: get_posture_summary.',
    input: z.strictObject({ project_id: projectRef }),
    output: project,
  }),
  create: defineProcedure({
    tool: 'create_project',
    access: 'write',
    http: 'POST /api/projects',
    title: 'Create a project',
    description: 'Creates a project without packages: next, sync_tech_stack fills it.',
    input: z.strictObject({
      name: givenName(200),
      description: prose(2000).optional(),
      exposure: exposure.default('unknown'),
      repo: repo.optional(),
      group: assignedGroup.optional(),
    }),
    output: project,
  }),
  update: defineProcedure({
    tool: 'update_project',
    access: 'write',
    idempotent: true,
    http: 'PATCH /api/projects/{project_id}',
    title: 'Update a project',
    description: 'Changes only the given fields of a project. Exposure changes its verdicts.',
    input: z.strictObject({
      project_id: projectRef,
      name: givenName(200).optional(),
      description: prose(2000).optional(),
      exposure: exposure.optional(),
      repo: repo.optional(),
      group: assignedGroup.optional(),
      clear: clears('description', 'repo', 'group'),
      expected_revision: expectedRevision,
    }),
    output: project,
  }),
  delete: defineProcedure({
    tool: 'delete_project',
    access: 'destructive',
    http: 'DELETE /api/projects/{project_id}',
    title: 'Delete a project',
    description: 'Deletes a project and all its data, for good. Takes the id alone.',
    input: z.strictObject({ project_id: projectRef }),
    output: deleted,
  }),
};

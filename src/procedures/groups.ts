import * as z from 'zod';
import { defineProcedure, defineQuery } from './define.js';
import { tierCounts } from './findings.js';
import { clears, deleted, expectedRevision, givenName, groupRef, id, pageInput, pageOf, timestamp } from './wire.js';

/** Projects that one call puts into a group. */
const maxAssigned = 1_000;

const named = z.object({ id, name: z.string() });

const group = named.extend({
  parent: named.nullable().describe('the group that it is in; groups nest one level deep'),
  owner: named.nullable().describe('the member who gets its notifications'),
  projects: z.int().describe('those of groups in it included'),
  open: tierCounts.describe('findings of these projects, in all domains'),
  revision: z.int(),
  created_at: timestamp,
  updated_at: timestamp,
});

/** How groups are written. */
const parent = groupRef.optional().describe('the group that it is in');
const owner_id = id.optional().describe('of a member');

/** Groups of projects. They are filters of every list and posture. */
export const groups = {
  list: defineQuery({
    tool: 'list_groups',
    beyond: true,
    http: 'GET /api/groups',
    title: 'List groups',
    description:
      'Groups of projects with their owners and what is open in them, each before the groups in it; by name.',
    input: pageInput({}),
    output: pageOf(group),
  }),
  create: defineProcedure({
    tool: 'create_group',
    beyond: true,
    access: 'write',
    http: 'POST /api/groups',
    title: 'Create a group',
    description: 'Creates a group of projects without projects: next, assign_projects fills it. Admins only.',
    input: z.strictObject({ name: givenName(200), parent, owner_id }),
    output: group,
  }),
  update: defineProcedure({
    tool: 'update_group',
    beyond: true,
    access: 'write',
    idempotent: true,
    http: 'PATCH /api/groups/{group}',
    title: 'Update a group',
    description: 'Changes only the given fields of a group of projects. Admins only.',
    input: z.strictObject({
      group: groupRef,
      name: givenName(200).optional(),
      parent,
      owner_id,
      clear: clears('parent', 'owner_id'),
      expected_revision: expectedRevision,
    }),
    output: group,
  }),
  delete: defineProcedure({
    tool: 'delete_group',
    beyond: true,
    access: 'destructive',
    http: 'DELETE /api/groups/{group}',
    title: 'Delete a group',
    description:
      'Deletes a group with its webhooks, and no project: its projects and groups move up into the group that it is in. Takes the id alone. Admins only.',
    input: z.strictObject({ group: groupRef }),
    output: deleted,
  }),
  assign: defineProcedure({
    tool: 'assign_projects',
    beyond: true,
    access: 'write',
    idempotent: true,
    http: 'POST /api/groups/assign',
    title: 'Assign projects to a group',
    description:
      'Moves projects into a group, out of those they are in. Ids that are not found stop no others. Admins only.',
    input: z.strictObject({
      group: groupRef.optional(),
      clear: clears('group').describe('takes them out of theirs'),
      project_ids: z.array(id).min(1).max(maxAssigned).describe(`ids, at most ${maxAssigned}`),
    }),
    output: z.object({ moved: z.int(), unchanged: z.int().describe('were in it before'), not_found: z.array(id) }),
  }),
};

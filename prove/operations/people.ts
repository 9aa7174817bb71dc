import type { Ids, Operation } from '../support/operation.js';
import { everywhere, inProject, none, p, project, within } from './inputs.js';

const hook = `${p}/webhooks/{webhook_id}`;
const newHook = { kind: 'generic', name: 'other', url: 'https://hooks.example.com/other' };

/** What is done to a webhook of a project, or of a group. */
function ofEither(method: string, path = '', more: Readonly<Record<string, unknown>> = {}) {
  return {
    input: within('webhook', 'webhook', more),
    everywhere: `${method} /api/webhooks/{webhook_id}${path}`,
    ofGroup: ({ groupWebhook }: Ids) => ({ webhook_id: groupWebhook, ...more }),
  } satisfies Partial<Operation>;
}

/** Organisations, their people and keys, projects and webhooks. */
export const peopleOperations: readonly Operation[] = [
  { path: 'organisation.get', tool: 'get_org', http: 'GET /api/org', who: 'reader', input: none },
  {
    ...{ path: 'organisation.update', http: 'PATCH /api/org', who: 'admin', changesAnyway: true },
    input: (_, mark) => ({ name: `renamed ${mark}` }),
  },
  {
    ...{ path: 'organisation.listMembers', tool: 'list_members', http: 'GET /api/org/members', who: 'reader' },
    ...{ isOfAll: true, input: none },
  },
  {
    ...{ path: 'organisation.updateMember', http: 'PATCH /api/org/members/{member_id}', who: 'admin' },
    input: ({ member }) => ({ member_id: member, role: 'member' }),
  },
  {
    ...{ path: 'organisation.removeMember', http: 'DELETE /api/org/members/{member_id}', who: 'admin' },
    input: ({ member }) => ({ member_id: member }),
  },
  {
    ...{ path: 'organisation.listInvites', tool: 'list_invites', http: 'GET /api/org/invites', who: 'reader' },
    ...{ isOfAll: true, input: none },
  },
  {
    ...{ path: 'organisation.createInvite', http: 'POST /api/org/invites', who: 'admin', changesAnyway: true },
    input: (_, mark) => ({ email: `${mark}@prove.invalid` }),
  },
  {
    ...{ path: 'organisation.revokeInvite', http: 'DELETE /api/org/invites/{invite_id}', who: 'admin' },
    input: ({ invite }) => ({ invite_id: invite }),
  },
  {
    ...{ path: 'organisation.getAuditLog', tool: 'get_audit_log', http: 'GET /api/org/audit-log', who: 'reader' },
    ...{ filtersById: true, input: ({ project }) => ({ project_id: project }) },
  },
  {
    ...{ path: 'organisation.exportAuditLog', http: 'GET /api/org/audit-log/export', who: 'admin' },
    ...{ isFile: true, input: () => ({ since: '2100-01-01' }) },
  },
  { path: 'projects.list', tool: 'list_projects', http: 'GET /api/projects', who: 'reader', input: none },
  { path: 'projects.get', tool: 'get_project', http: `GET ${p}`, who: 'reader', input: project },
  {
    ...{ path: 'projects.create', tool: 'create_project', http: 'POST /api/projects', who: 'writer' },
    ...{ isOfAll: true, changesAnyway: true, input: (_, mark) => ({ name: `project ${mark}` }) },
  },
  {
    ...{ path: 'projects.update', tool: 'update_project', http: `PATCH ${p}`, who: 'writer' },
    input: inProject({ exposure: 'internal' }),
  },
  { path: 'projects.delete', tool: 'delete_project', http: `DELETE ${p}`, who: 'remover', input: project },
  { path: 'groups.list', tool: 'list_groups', http: 'GET /api/groups', who: 'reader', input: none },
  {
    ...{ path: 'groups.create', tool: 'create_group', http: 'POST /api/groups', who: 'admin', changesAnyway: true },
    input: (_, mark) => ({ name: `group ${mark}` }),
  },
  {
    ...{ path: 'groups.update', tool: 'update_group', http: 'PATCH /api/groups/{group}', who: 'admin' },
    input: ({ group }) => ({ group, clear: ['owner_id'] }),
  },
  {
    ...{ path: 'groups.delete', tool: 'delete_group', http: 'DELETE /api/groups/{group}', who: 'admin' },
    input: ({ group }) => ({ group }),
  },
  {
    ...{ path: 'groups.assign', tool: 'assign_projects', http: 'POST /api/groups/assign', who: 'admin' },
    ...{ filtersById: true, input: ({ group, project }) => ({ group, project_ids: [project] }) },
  },
  { path: 'webhooks.list', tool: 'list_webhooks', http: `GET ${p}/webhooks`, ...everywhere('webhooks') },
  {
    ...{ path: 'webhooks.add', tool: 'add_webhook', http: `POST ${p}/webhooks`, who: 'writer' },
    ...{ input: inProject(newHook), everywhere: 'POST /api/webhooks', ofGroup: ({ group }) => ({ group, ...newHook }) },
  },
  {
    ...{ path: 'webhooks.update', tool: 'update_webhook', http: `PATCH ${hook}`, who: 'writer' },
    ...ofEither('PATCH', '', { enabled: false }),
  },
  {
    ...{ path: 'webhooks.delete', tool: 'delete_webhook', http: `DELETE ${hook}`, who: 'writer' },
    ...ofEither('DELETE'),
  },
  {
    ...{ path: 'webhooks.test', tool: 'test_webhook', http: `POST ${hook}/test`, who: 'writer' },
    ...ofEither('POST', '/test'),
  },
  {
    ...{ path: 'webhooks.listDeliveries', http: `GET ${hook}/deliveries`, who: 'reader' },
    ...ofEither('GET', '/deliveries'),
  },
  { path: 'apiKeys.list', http: 'GET /api/org/api-keys', who: 'admin', input: none },
  {
    ...{ path: 'apiKeys.create', http: 'POST /api/org/api-keys', who: 'admin', changesAnyway: true },
    input: (_, mark) => ({ name: `key ${mark}`, scope: 'ReadOnly' }),
  },
  {
    ...{ path: 'apiKeys.revoke', http: 'DELETE /api/org/api-keys/{api_key_id}', who: 'admin' },
    input: ({ apiKey }) => ({ api_key_id: apiKey }),
  },
];

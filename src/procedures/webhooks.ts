import * as z from 'zod';
import { defineProcedure, defineQuery, shownOnce } from './define.js';
import { addressText, generated } from './texts.js';
import {
  deleted,
  expectedRevision,
  givenName,
  id,
  ofProject,
  pageInput,
  pageOf,
  projectRef,
  someProjects,
  timestamp,
} from './wire.js';

/** Kinds of receivers: each gets its own format. `generic` ones get signed messages (Standard Webhooks). */
export const webhookKind = z.enum(['slack', 'googlechat', 'teams', 'discord', 'generic']);
export type WebhookKind = z.infer<typeof webhookKind>;

/** Events that a webhook may subscribe to. */
export const webhookEvent = z.enum([
  'alert.red',
  'alert.known_exploited',
  'verdict.band_raised',
  'scan.finished',
  'override.changed',
]);
export type WebhookEvent = z.infer<typeof webhookEvent>;

/** Those that a webhook gets unless others are chosen, and the owner of a group by mail. */
export const urgentEvents = webhookEvent.extract(['alert.red', 'alert.known_exploited']).options;

export const deliveryStatus = z.enum(['queued', 'retrying', 'delivered', 'failed']);

/** Statuses after the first attempt. */
export const attemptStatus = deliveryStatus.extract(['delivered', 'retrying', 'failed']);

const url = z
  .url({ protocol: /^https?$/ })
  .max(2048)
  .refine((text) => !URL.canParse(text) || new URL(text).port !== '0', 'needs a port from 1 to 65535, or none');
const events = z.array(webhookEvent).min(1, 'needs at least one').max(webhookEvent.options.length);

const webhook = z.object({
  id,
  kind: webhookKind,
  name: z.string(),
  url: addressText.describe('without what is secret in it'),
  events: z.array(webhookEvent),
  enabled: z.boolean(),
  revision: z.int(),
  created_at: timestamp,
  last_delivery: z.object({ at: timestamp, status: attemptStatus }).nullable(),
});

/** Without `project_id`: of a webhook that is a group’s. */
const webhookId = { project_id: projectRef.optional(), webhook_id: id };

export const webhooks = {
  list: defineQuery({
    tool: 'list_webhooks',
    http: 'GET /api/projects/{project_id}/webhooks',
    everywhere: 'GET /api/webhooks',
    title: 'List webhooks',
    description: 'Notification webhooks and how each last delivery went; by name.',
    input: pageInput(someProjects),
    output: pageOf(
      webhook.extend({
        ...ofProject,
        group: z.object({ id, name: z.string() }).optional().describe('whose it is, if a group’s'),
      }),
    ),
  }),
  add: defineProcedure({
    tool: 'add_webhook',
    access: 'write',
    openWorld: true,
    http: 'POST /api/projects/{project_id}/webhooks',
    answersSecret: true,
    everywhere: 'POST /api/webhooks',
    title: 'Add a webhook',
    description:
      'Adds a notification webhook to a project or a group. A generic one’s signing secret is shown only now.',
    input: z.strictObject({
      ...someProjects,
      kind: webhookKind,
      name: givenName(200),
      url,
      events: events.default([...urgentEvents]),
    }),
    output: z.object({ webhook, secret: shownOnce(generated(z.string()).nullable()) }),
  }),
  update: defineProcedure({
    tool: 'update_webhook',
    access: 'write',
    idempotent: true,
    openWorld: true,
    http: 'PATCH /api/projects/{project_id}/webhooks/{webhook_id}',
    everywhere: 'PATCH /api/webhooks/{webhook_id}',
    title: 'Update a webhook',
    description: 'Changes only the given fields of a webhook.',
    input: z.strictObject({
      ...webhookId,
      name: givenName(200).optional(),
      url: url.optional(),
      events: events.optional(),
      enabled: z.boolean().optional(),
      expected_revision: expectedRevision,
    }),
    output: webhook,
  }),
  delete: defineProcedure({
    tool: 'delete_webhook',
    access: 'destructive',
    http: 'DELETE /api/projects/{project_id}/webhooks/{webhook_id}',
    everywhere: 'DELETE /api/webhooks/{webhook_id}',
    title: 'Delete a webhook',
    description: 'Deletes a webhook with its delivery log and what is still queued.',
    input: z.strictObject(webhookId),
    output: deleted,
  }),
  test: defineProcedure({
    tool: 'test_webhook',
    access: 'write',
    openWorld: true,
    http: 'POST /api/projects/{project_id}/webhooks/{webhook_id}/test',
    everywhere: 'POST /api/webhooks/{webhook_id}/test',
    title: 'Test a webhook',
    description: 'Sends a test notification within seconds; then list_webhooks says whether it arrived.',
    input: z.strictObject(webhookId),
    output: z.object({ delivery_id: id }),
  }),
  listDeliveries: defineQuery({
    http: 'GET /api/projects/{project_id}/webhooks/{webhook_id}/deliveries',
    everywhere: 'GET /api/webhooks/{webhook_id}/deliveries',
    title: 'List deliveries',
    description: 'The delivery log, newest first; kept for 30 days.',
    input: pageInput(webhookId),
    output: pageOf(
      z.object({
        id,
        event: z.string(),
        status: deliveryStatus,
        attempts: z.int(),
        created_at: timestamp,
        next_attempt_at: timestamp.nullable(),
        delivered_at: timestamp.nullable(),
        last_error: z.string().nullable(),
      }),
    ),
  }),
};

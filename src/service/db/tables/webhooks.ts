import type { Generated } from 'kysely';
import type * as z from 'zod';
import type { deliveryStatus, WebhookKind } from '../../../procedures/webhooks.js';
import type { CreatedAt, Json, JsonObject } from './columns.js';

export interface WebhooksTable {
  organisation_id: string;
  id: string;
  /** One of the two: whose events it gets. */
  project_id: string | null;
  group_id: string | null;
  kind: WebhookKind;
  name: string;
  /** Complete, and sealed: chat services put their secret into it. */
  url: string;
  /** Host and port of the address, in lower case. */
  origin: Generated<string>;
  /** Signing key of a generic webhook (Standard Webhooks) in Base64, sealed. */
  secret: string | null;
  events: string[];
  enabled: Generated<boolean>;
  revision: Generated<number>;
  created_at: CreatedAt;
}

/** What is sent: a notification to a webhook, or a mail, which has no webhook. */
export interface WebhookDeliveriesTable {
  organisation_id: string;
  id: string;
  webhook_id: string | null;
  /** To whom a mail goes, unless it is an invite's. */
  member_id: string | null;
  invite_id: string | null;
  event: string;
  /** A notification (events/domain-event.ts), or what a mail is written from (mail/). */
  payload: Json<JsonObject>;
  status: z.infer<typeof deliveryStatus>;
  attempts: Generated<number>;
  created_at: CreatedAt;
  /** When the latest attempt began. */
  attempted_at: Date | null;
  /** Null where no attempt will follow. During an attempt: when its lease ends. */
  next_attempt_at: Date | null;
  delivered_at: Date | null;
  last_error: string | null;
}

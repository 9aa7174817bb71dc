import type { Generated } from 'kysely';
import type { CreatedAt, Json, JsonObject } from './columns.js';

export interface WebhooksTable {
  organisation_id: string;
  id: string;
  project_id: string;
  kind: 'slack' | 'googlechat' | 'teams' | 'discord' | 'generic';
  name: string;
  /** Whole: chat services put their secret into it. */
  url: string;
  /** Signing key of a generic webhook (Standard Webhooks). */
  secret: Buffer | null;
  events: string[];
  enabled: Generated<boolean>;
  revision: Generated<number>;
  created_at: CreatedAt;
}

export interface WebhookDeliveriesTable {
  organisation_id: string;
  id: string;
  webhook_id: string;
  event: string;
  /** `Notification`, as it is sent. */
  payload: Json<JsonObject>;
  status: 'queued' | 'retrying' | 'delivered' | 'failed';
  attempts: Generated<number>;
  created_at: CreatedAt;
  /** When the latest attempt began. */
  attempted_at: Date | null;
  /** Null once it is over. While an attempt runs, when another process may take it over. */
  next_attempt_at: Date | null;
  delivered_at: Date | null;
  last_error: string | null;
}

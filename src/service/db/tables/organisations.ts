import type { ColumnType, Generated } from 'kysely';
import type * as z from 'zod';
import type { apiKeyScope } from '../../../procedures/api-keys.js';
import type { actorKind, plan, role } from '../../../procedures/organisation.js';
import type { CreatedAt, Json, JsonObject } from './columns.js';

export interface OrganisationsTable {
  id: string;
  name: string;
  contact_email: string | null;
  plan: z.infer<typeof plan>;
  /** Since when the events of its alerts are kept. */
  history_since: CreatedAt;
  revision: Generated<number>;
  created_at: CreatedAt;
  updated_at: ColumnType<Date, Date | undefined, Date>;
}

export interface LastWritesTable {
  organisation_id: string;
  /** In the write-ahead log (`pg_lsn`), as `16/B374D848`. */
  position: string;
}

export interface MembersTable {
  organisation_id: string;
  id: string;
  /** Lower case; one address signs in to one organisation. */
  email: string;
  name: string;
  role: z.infer<typeof role>;
  /** argon2id, PHC string. */
  password_hash: string;
  created_at: CreatedAt;
  last_seen_at: Date | null;
}

export interface SessionsTable {
  organisation_id: string;
  /** The token's `jti`. */
  id: string;
  member_id: string;
  created_at: CreatedAt;
  expires_at: Date;
  /** Where the member signed in from; null where that is not known. */
  ip: string | null;
}

export interface PasswordResetsTable {
  organisation_id: string;
  /** One at a time: a new one takes the place of the old. */
  member_id: string;
  id: string;
  /** SHA-256 of the token. */
  token_hash: Buffer;
  created_by: string;
  created_at: CreatedAt;
  expires_at: Date;
}

export interface KnownAddressesTable {
  organisation_id: string;
  member_id: string;
  /** An IPv4 address, or the first half of an IPv6 one. */
  address: string;
  last_at: Date;
}

export interface ServiceKeysTable {
  purpose: 'sessions' | 'webhooks';
  /** Base64; encrypted where `wrapped_by` is not empty. */
  key: string;
  /** Id of the wrapping key; empty where none is configured. */
  wrapped_by: string;
  created_at: CreatedAt;
}

export interface InvitesTable {
  organisation_id: string;
  id: string;
  email: string;
  role: z.infer<typeof role>;
  /** SHA-256 of the token. */
  token_hash: Buffer;
  invited_by: string;
  created_at: CreatedAt;
  expires_at: Date;
  accepted_at: Date | null;
  revoked_at: Date | null;
}

export interface ApiKeysTable {
  organisation_id: string;
  id: string;
  name: string;
  scope: z.infer<typeof apiKeyScope>;
  /** SHA-256 of the whole key. */
  key_hash: Buffer;
  last_four: string;
  created_by: string;
  created_at: CreatedAt;
  last_used_at: Date | null;
  revoked_at: Date | null;
  /** Null: it does not expire. */
  expires_at: Date | null;
  /** The projects that it is bound to; null: all, and what belongs to none. */
  project_ids: string[] | null;
}

export interface AuditLogTable {
  organisation_id: string;
  id: string;
  at: CreatedAt;
  actor_kind: z.infer<typeof actorKind>;
  actor_id: string;
  actor_name: string;
  action: string;
  target_kind: string;
  target_id: string;
  /** The project that it is about, and its name then; null for what is about none. */
  project_id: string | null;
  project_name: string | null;
  vulnerability_id: string | null;
  /** Package URL. */
  package: string | null;
  before: Json<JsonObject | null>;
  after: Json<JsonObject | null>;
  ip: string | null;
  request_id: string | null;
}

export interface IdempotencyKeysTable {
  organisation_id: string;
  /** SHA-256 of caller, procedure and the header's value. */
  key_hash: Buffer;
  /** SHA-256 of the request: with another request, the key is reused wrongly. */
  request_hash: Buffer;
  status: number;
  /** Null where the answer holds a secret: it is not kept. */
  response: Json<JsonObject | null>;
  created_at: CreatedAt;
}

import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type * as z from 'zod';
import type { apiKeyScope } from '../../../procedures/api-keys.js';
import type { actorKind, addressProof, GrantedRole, plan, role } from '../../../procedures/organisation.js';
import type { domainProof, givenRole } from '../../../procedures/sign-in.js';
import type { CreatedAt, Json, JsonObject } from './columns.js';

export interface OrganisationsTable {
  id: string;
  name: string;
  contact_email: string | null;
  plan: z.infer<typeof plan>;
  /** Since when the events of its alerts are kept. */
  history_since: CreatedAt;
  /** Whether members sign in with a password. */
  password_sign_in: Generated<boolean>;
  /** The admin who may do so all the same. */
  break_glass_id: string | null;
  revision: Generated<number>;
  created_at: CreatedAt;
  updated_at: ColumnType<Date, Date | undefined, Date>;
}

export interface MembersTable {
  organisation_id: string;
  id: string;
  /** Lower case, and unique in the organisation. */
  email: string;
  name: string;
  role: z.infer<typeof role>;
  /** argon2id, PHC string; null where an issuer signs the member in. */
  password_hash: string | null;
  /** Who has shown that the address is this person's; null: nobody has. */
  proven_by: z.infer<typeof addressProof> | null;
  /** Since then nothing of the member's counts. */
  deactivated_at: Date | null;
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
  /** By which the member signed in; null: by password. */
  identity_id: string | null;
}

/** An issuer that an organisation takes, and what signing in by it gives. */
export interface IssuersTable {
  organisation_id: string;
  id: string;
  /** As in the tokens' `iss`. */
  issuer: string;
  /** Null: the instance's own client. */
  client_id: string | null;
  /** Sealed. */
  client_secret: string | null;
  default_role: z.infer<typeof givenRole>;
  /** Whether who has an address of a proven domain becomes a member by signing in. */
  joins: boolean;
  /** The claim that has a person's groups; null: none counts. */
  groups_claim: string | null;
  group_roles: Json<{ group: string; role: z.infer<typeof role> }[]>;
  created_at: CreatedAt;
  revision: Generated<number>;
}

/** A person, as an issuer knows him or her, and the account that this is in one organisation. */
export interface IdentitiesTable {
  organisation_id: string;
  id: string;
  member_id: string;
  issuer: string;
  subject: string;
  created_at: CreatedAt;
  last_seen_at: Date | null;
}

export interface EmailDomainsTable {
  organisation_id: string;
  /** Lower case. */
  domain: string;
  /** What a TXT record of the domain must say. */
  challenge: string;
  /** Null: nobody has shown that it is the organisation's. */
  proven_by: z.infer<typeof domainProof> | null;
  created_at: CreatedAt;
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
  /** Sent to the member's address: who has the token reads mail there. */
  mailed: Generated<boolean>;
}

export interface KnownAddressesTable {
  organisation_id: string;
  member_id: string;
  /** An IPv4 address, or the first half of an IPv6 one. */
  address: string;
  last_at: Date;
}

export interface ServiceKeysTable {
  purpose: 'sessions' | 'webhooks' | 'receipts';
  /** Base64; encrypted where `wrapped_by` is not empty. */
  key: string;
  /** Id of the wrapping key; empty where none is configured. */
  wrapped_by: string;
  created_at: CreatedAt;
}

/** The public key of receipts, a point on P-256: both coordinates in base64url. */
export interface ReceiptKeysTable {
  /** Its thumbprint (RFC 7638). */
  id: string;
  x: string;
  y: string;
  created_at: Date;
}

export interface InvitesTable {
  organisation_id: string;
  id: string;
  email: string;
  role: z.infer<typeof role>;
  /** SHA-256 of the token. */
  token_hash: Buffer;
  invited_by: string;
  /** Ids of groups of projects, and the role in each. */
  groups: Json<{ group_id: string; role: GrantedRole }[]>;
  /** Sent to the address: who has the token reads mail there. */
  mailed: Generated<boolean>;
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
  /** Who has said that it is this member; null: the member's password has, or it is no member. */
  issuer: string | null;
  /** Null: not in a session of a member. */
  session_id: string | null;
  ip: string | null;
  /** The program that asked, as it says itself. */
  device: string | null;
  request_id: string | null;
}

/** While there is a row, entries of the log are queued for the operator's sink. */
export interface AuditSinkTable {
  /** 1: there is one at most. */
  id: Generated<number>;
  /** The process that sends them, until then. */
  holder: string;
  held_until: Date;
}

/** Entries that the sink has not taken. */
export interface AuditOutboxTable {
  organisation_id: string;
  entry_id: string;
  ordinal: GeneratedAlways<number>;
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

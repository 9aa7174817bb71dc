import { type Kysely, sql } from 'kysely';
import { hideFromBoundKeys } from './bound-keys.js';
import { protectTenantTable } from './protect-tenant-table.js';

const roles = `('admin', 'member', 'triager', 'viewer', 'none')`;
const givenRoles = `('member', 'triager', 'viewer', 'none')`;

const statements = [
  // One person may be a member of several organisations: an account belongs to one of them.
  'alter table members drop constraint members_email_key',
  'create unique index members_by_email on members (organisation_id, email)',
  'create index members_with_email on members (email)',
  'alter table members drop constraint members_role_check',
  `alter table members add constraint members_role_check check (role in ${roles})`,
  'alter table members alter column password_hash drop not null',
  `alter table members add column proven_by text check (proven_by in ('issuer', 'domain', 'mail', 'operator')),
    add column deactivated_at timestamptz`,
  'alter table invites drop constraint invites_role_check',
  `alter table invites add constraint invites_role_check check (role in ${roles})`,
  // Sent to the address itself: whoever has the token can read mail there.
  'alter table invites add column mailed boolean not null default false',
  'alter table password_resets add column mailed boolean not null default false',
  // The issuers that an organisation takes, with what a sign-in by it gives.
  `create table issuers (
    organisation_id text not null references organisations on delete cascade,
    id text not null,
    issuer text not null,
    client_id text,
    client_secret text,
    default_role text not null check (default_role in ${givenRoles}),
    joins boolean not null,
    groups_claim text,
    group_roles jsonb not null default '[]',
    created_at timestamptz not null default now(),
    revision integer not null default 1,
    primary key (organisation_id, id),
    unique (organisation_id, issuer)
  )`,
  // A person, as an issuer knows him or her, and the account that this is.
  `create table identities (
    organisation_id text not null,
    id text not null,
    member_id text not null,
    issuer text not null,
    subject text not null,
    created_at timestamptz not null default now(),
    last_seen_at timestamptz,
    primary key (organisation_id, id),
    unique (organisation_id, issuer, subject),
    unique (organisation_id, member_id, issuer),
    foreign key (organisation_id, member_id) references members on delete cascade,
    foreign key (organisation_id, issuer) references issuers (organisation_id, issuer) on delete cascade
  )`,
  'create index identities_by_subject on identities (issuer, subject)',
  `create table email_domains (
    organisation_id text not null references organisations on delete cascade,
    domain text not null check (domain = lower(domain)),
    challenge text not null,
    proven_by text check (proven_by in ('dns', 'operator')),
    created_at timestamptz not null default now(),
    primary key (organisation_id, domain)
  )`,
  'create unique index email_domains_proven on email_domains (domain) where proven_by is not null',
  `alter table sessions add column identity_id text,
    add foreign key (organisation_id, identity_id) references identities on delete cascade`,
  'create index sessions_by_identity on sessions (organisation_id, identity_id)',
  `alter table organisations add column password_sign_in boolean not null default true,
    add column break_glass_id text`,
  'grant update (password_sign_in, break_glass_id) on organisations to postern_tenant',
];

/** Who a person is: an account of an organisation, the issuers that it takes, and the domains whose addresses are its own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
  for (const table of ['issuers', 'identities', 'email_domains']) {
    await protectTenantTable(db, table, 'select, insert, update, delete');
    await hideFromBoundKeys(db, table);
  }
}

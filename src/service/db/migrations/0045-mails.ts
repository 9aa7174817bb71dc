import { type Kysely, sql } from 'kysely';

const statements = [
  // A mail goes the way of a webhook's deliveries, to a member or to whom an invite is for.
  `alter table webhook_deliveries alter column webhook_id drop not null,
    add column member_id text, add column invite_id text,
    add foreign key (organisation_id, member_id) references members on delete cascade,
    add foreign key (organisation_id, invite_id) references invites on delete cascade,
    add constraint webhook_deliveries_of_one check (num_nonnulls(webhook_id, member_id, invite_id) = 1)`,
  'create index webhook_deliveries_by_member on webhook_deliveries (organisation_id, member_id) where member_id is not null',
  'create index webhook_deliveries_by_invite on webhook_deliveries (organisation_id, invite_id) where invite_id is not null',
  'create index mails_newest on webhook_deliveries (organisation_id, created_at) where webhook_id is null',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

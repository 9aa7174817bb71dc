import { type QueryCreator, sql } from 'kysely';
import { newId } from '../db/ids.js';
import type { Schema } from '../db/schema.js';
import type { Proof } from './issuer-tokens.js';

/** A member that a proven person is. */
export interface Account {
  readonly organisationId: string;
  readonly organisationName: string;
  readonly memberId: string;
  /** Null: by the address alone, and no subject of the issuer has the account yet. */
  readonly identityId: string | null;
}

/**
 * The accounts of a person. By the subject, where an account has it. Else by the address that the issuer has verified,
 * in organisations that take the issuer, of members whose address was proven by somebody other than their own
 * organisation: by a mail to it, by the operator, or by an admin whose organisation owns the address's domain. An
 * address that only an invite has named is nobody's: whoever made the invite could have accepted it. And an account
 * that has a subject of this issuer is not another subject's, who may have got the address later.
 */
export async function accountsOf(
  db: QueryCreator<Schema>,
  { issuer, subject, email }: Proof,
): Promise<readonly Account[]> {
  const found = db
    .selectFrom('members as m')
    .innerJoin('organisations as o', 'o.id', 'm.organisation_id')
    .where('m.deactivated_at', 'is', null);
  const known = found
    .innerJoin('identities as i', (join) =>
      join.onRef('i.organisation_id', '=', 'm.organisation_id').onRef('i.member_id', '=', 'm.id'),
    )
    .where('i.issuer', '=', issuer)
    .where('i.subject', '=', subject)
    .select(['m.organisation_id as organisationId', 'o.name as organisationName', 'm.id as memberId'])
    .select(sql<string | null>`i.id`.as('identityId'));
  const byAddress = found
    .innerJoin('issuers as b', 'b.organisation_id', 'm.organisation_id')
    .where('b.issuer', '=', issuer)
    .where('m.email', '=', email)
    .where(sql<boolean>`(m.proven_by in ('mail', 'operator') or (m.proven_by = 'domain' and exists (
      select from email_domains as d where d.organisation_id = m.organisation_id
        and d.domain = split_part(m.email, '@', 2) and d.proven_by is not null)))`)
    .where(sql<boolean>`not exists (select from identities as i where i.organisation_id = m.organisation_id
      and i.issuer = ${issuer} and (i.member_id = m.id or i.subject = ${subject}))`)
    .select(['m.organisation_id as organisationId', 'o.name as organisationName', 'm.id as memberId'])
    .select(sql<string | null>`null::text`.as('identityId'));
  return known.unionAll(byAddress).execute();
}

/**
 * From now on the account is this subject's. Answers the identity's id; undefined where another subject of the issuer has the account, or
 * the subject another account of the organisation, or where account or issuer has gone meanwhile: their rows are held until it is written.
 */
export async function keepIdentity(
  db: QueryCreator<Schema>,
  { organisationId, memberId }: Pick<Account, 'organisationId' | 'memberId'>,
  { issuer, subject }: Proof,
): Promise<string | undefined> {
  const kept = await db
    .insertInto('identities')
    .columns(['organisation_id', 'id', 'member_id', 'issuer', 'subject'])
    .expression((e) =>
      e
        .selectFrom('members as m')
        .innerJoin('issuers as b', 'b.organisation_id', 'm.organisation_id')
        .where('m.organisation_id', '=', organisationId)
        .where('m.id', '=', memberId)
        .where('m.deactivated_at', 'is', null)
        .where('b.issuer', '=', issuer)
        .select(['m.organisation_id', sql<string>`${newId('idn')}`.as('id'), 'm.id as member_id', 'b.issuer'])
        .select(sql<string>`${subject}`.as('subject'))
        .forKeyShare(),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return kept?.id;
}

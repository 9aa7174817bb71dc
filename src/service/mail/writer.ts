import { sql } from 'kysely';
import type { Transaction } from '../db/database.js';
import { byId } from '../db/scope.js';
import type { DueMail } from '../webhooks/claim.js';
import { plainLine } from '../webhooks/plain-line.js';
import type { Mail } from './mailer.js';

interface Writing {
  /** The address of this server, to which links lead. */
  readonly publicUrl: string;
  readonly now: Date;
}

/** Answers null where nobody is to get the mail any more. */
export type Writer = (tx: Transaction, mail: DueMail, writing: Writing) => Promise<Omit<Mail, 'id'> | null>;

/** A column for `select` or `returning`. */
export function organisationName(organisationId: string) {
  return sql<string>`(select name from organisations where id = ${organisationId})`.as('organisation');
}

/** Undefined for one who was deactivated. */
export function activeMember(tx: Transaction, organisationId: string, memberId: string) {
  return tx
    .selectFrom('members')
    .select(['email', 'proven_by'])
    .select(organisationName(organisationId))
    .where(byId(organisationId, memberId))
    .where('deactivated_at', 'is', null)
    .executeTakeFirst();
}

/** A name that somebody chose, as a short line in which no mail program finds an address to open. */
export function named(text: string): string {
  return plainLine(text, 60).replace(/[.:/@]+(?=\S)/g, '$& ');
}

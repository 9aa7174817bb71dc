import * as z from 'zod';
import { newLinkToken } from '../auth/link-token.js';
import { issuePasswordReset } from '../auth/password-reset.js';
import type { Database } from '../db/database.js';
import { byId } from '../db/scope.js';
import { type LinkEvent, ownerEvent } from '../events/mail-events.js';
import type { DueMail } from '../webhooks/claim.js';
import type { Sent } from '../webhooks/send.js';
import { addressProof } from './address-proof.js';
import type { SendMail } from './mailer.js';
import { ownerNotifications } from './owner-notifications.js';
import { activeMember, named, organisationName, type Writer } from './writer.js';

const dayMs = 24 * 60 * 60 * 1_000;

const writers: Readonly<Record<LinkEvent | typeof ownerEvent, Writer>> = {
  [ownerEvent]: ownerNotifications,

  async invite(tx, { organisation_id, receiver_id }, { publicUrl, now }) {
    const { token, hash } = newLinkToken('invite');
    const invite = await tx
      .updateTable('invites')
      .set({ token_hash: hash })
      .where(byId(organisation_id, receiver_id))
      .where('accepted_at', 'is', null)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', now)
      .returning(['email', 'invited_by', 'expires_at'])
      .returning(organisationName(organisation_id))
      .executeTakeFirst();
    if (invite === undefined) return null;
    return {
      to: invite.email,
      subject: 'You are invited to Postern',
      text: [
        `${named(invite.invited_by)} invites you to the organisation ${named(invite.organisation)} in Postern, which watches over the vulnerabilities of its software.`,
        `Accept until ${day(invite.expires_at)} here, with a name and a password of your own:\n${link(publicUrl, '/accept-invite', token)}`,
        'If you do not expect this, do nothing: who does not open the link becomes no member.',
      ].join('\n\n'),
    };
  },

  async password_reset(tx, { organisation_id, receiver_id, payload }, { publicUrl, now }) {
    const member = await activeMember(tx, organisation_id, receiver_id);
    if (member === undefined) return null;
    const { issued_by: issuedBy } = z.object({ issued_by: z.string() }).parse(payload);
    const reset = { organisationId: organisation_id, memberId: receiver_id, issuedBy, mailed: true, now };
    const { token } = await issuePasswordReset(tx, reset);
    return {
      to: member.email,
      subject: 'A new password for Postern',
      text: [
        `${named(issuedBy)} lets you set a new password for your account in the organisation ${named(member.organisation)}. Within an hour, here:\n${link(publicUrl, '/reset-password', token)}`,
        'All your sessions end when you do. If you do not expect this, do nothing: the old password goes on.',
      ].join('\n\n'),
    };
  },

  async address_proof(tx, { organisation_id, id, receiver_id }, { publicUrl }) {
    const member = await activeMember(tx, organisation_id, receiver_id);
    if (member === undefined) return null;
    const { email } = member;
    const { token } = newLinkToken('address');
    await tx
      .updateTable('webhook_deliveries')
      .set({ payload: JSON.stringify(addressProof(token, email)) })
      .where(byId(organisation_id, id))
      .execute();
    return {
      to: email,
      subject: 'Confirm your address for Postern',
      text: [
        `Somebody who is signed in as ${email} in the organisation ${named(member.organisation)} wants to show that this address is theirs. If it was you, confirm it within a day, where you are signed in:\n${link(publicUrl, '/settings/account', token)}`,
        'If it was not you, do nothing, and give the link to nobody.',
      ].join('\n\n'),
    };
  },
};

/** Writes and sends one mail. A link gets its token here, and another one with each attempt: only the mail ever holds one. */
export function mailsFrom(database: Database, send: SendMail, publicUrl: string) {
  return async (mail: DueMail, stopping: AbortSignal): Promise<Sent> => {
    const now = new Date();
    const write = Object.entries(writers).find(([event]) => event === mail.event)?.[1];
    if (write === undefined) return unreadable;
    if (mail.created_at.getTime() < now.getTime() - dayMs) return unwanted;
    try {
      const written = await database.system((tx) => write(tx, mail, { publicUrl, now }));
      return written === null ? unwanted : send({ ...written, id: mail.id }, stopping);
    } catch (error) {
      if (error instanceof z.ZodError) return unreadable;
      throw error;
    }
  };
}

const unwanted = { outcome: 'gone', error: 'nobody is to get it any more' } as const;
const unreadable: Sent = {
  outcome: 'failed',
  error: 'this version cannot write the mail',
  retryAfterSeconds: null,
  hung: false,
};

/** The token is in the fragment, which no browser sends: it reaches no server's log. */
function link(publicUrl: string, path: string, token: string): string {
  return new URL(`${path}#token=${token}`, publicUrl).href;
}

function day(date: Date): string {
  return date.toISOString().slice(0, 10);
}

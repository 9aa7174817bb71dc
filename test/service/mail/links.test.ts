import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../../src/service/db/database.js';
import { at, textAt } from '../../support/at.js';
import { eventually } from '../../support/eventually.js';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';
import { startSmtpServer } from '../../support/smtp-server.js';
import { makeMailsDue, newMailDatabase, publicUrl, startSending, tokenIn } from './mailing-service.js';

const password = 'a long enough password';

let database: Database;
let service: TestService;
let organisation: TestOrganisation;
let email: string;
beforeAll(async () => {
  database = await newMailDatabase();
  service = await startService({ database, canMail: true });
});
afterAll(async () => {
  await service.close();
  await database.close();
});
beforeEach(async () => {
  organisation = await service.newOrganisation();
  email = `${randomUUID()}@example.com`;
});
// What one test leaves must not be sent by the next.
afterEach(() => database.system((tx) => tx.deleteFrom('webhook_deliveries').execute()));

const admin = (method: string, path: string, body?: unknown) =>
  service.call(organisation.admin.session, method, path, body);
const invite = (to = email) => admin('POST', '/api/org/invites', { email: to });
const accept = (token: string) => service.call(null, 'POST', '/api/invites/accept', { token, name: 'Ada', password });
const invites = async () => (await admin('GET', '/api/org/invites')).body;
const deliveryIs = (delivery: string) =>
  eventually(async () => expect(at(await invites(), 'items.0.delivery')).toBe(delivery));

/** What the database holds of the organisation's mails and invites, and what the service has answered and logged. */
async function everythingKept(): Promise<string> {
  const kept = await database.system(async (tx) => [
    await tx.selectFrom('webhook_deliveries').selectAll().where('organisation_id', '=', organisation.id).execute(),
    await tx.selectFrom('invites').selectAll().where('organisation_id', '=', organisation.id).execute(),
    await tx.selectFrom('password_resets').selectAll().where('organisation_id', '=', organisation.id).execute(),
    await tx.selectFrom('audit_log').selectAll().where('organisation_id', '=', organisation.id).execute(),
  ]);
  const audit = await admin('GET', '/api/org/audit-log');
  return JSON.stringify([kept, audit.body, await invites(), service.log()]);
}

describe('an invite', () => {
  test('goes to its address alone, and who accepts it has shown the address', async () => {
    const server = await startSmtpServer();
    startSending(database, server);
    const { body } = await invite();
    expect(body).toMatchObject({
      token: null,
      mailed: true,
      invite: { email, status: 'pending', delivery: 'pending' },
    });
    await deliveryIs('sent');
    const [mail, ...others] = server.received;
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ from: 'postern@example.com', to: email });
    expect(mail?.headers).toMatchObject({
      from: 'Postern <postern@example.com>',
      to: email,
      subject: 'You are invited to Postern',
      'auto-submitted': 'auto-generated',
      'content-type': 'text/plain; charset=utf-8',
    });
    const text = mail?.text ?? '';
    expect(text).toContain(`${publicUrl}/accept-invite#token=postern_invite_`);
    const token = tokenIn(text);
    expect(await everythingKept()).not.toContain(token);
    const accepted = await accept(token);
    expect(accepted.body).toMatchObject({ email, proven_by: 'mail' });
    expect((await accept(token)).status).toBe(422);
    expect(at(await invites(), 'items.0')).toMatchObject({ status: 'accepted', delivery: 'sent' });
  });

  test('waits for a server that is away, and is sent once it is back', async () => {
    const { port, url, close } = await startSmtpServer();
    await close();
    startSending(database, { url });
    await invite();
    const mail = () =>
      database.system((tx) =>
        tx
          .selectFrom('webhook_deliveries')
          .select(['status', 'attempts', 'last_error'])
          .where('organisation_id', '=', organisation.id)
          .executeTakeFirstOrThrow(),
      );
    const lost = { status: 'retrying', attempts: 1, last_error: 'no mail could be handed in (ECONNREFUSED)' };
    await eventually(async () => expect(await mail()).toEqual(lost));
    expect(at(await invites(), 'items.0.delivery')).toBe('pending');
    const back = await startSmtpServer({ port });
    await makeMailsDue(database, organisation.id);
    await deliveryIs('sent');
    expect((await accept(tokenIn(back.received[0]?.text ?? ''))).status).toBe(200);
  });

  test('to an address that the server refuses has failed, and is not tried again', async () => {
    const server = await startSmtpServer({
      answer: (command) => (/^RCPT/.test(command) ? '550 no such user' : undefined),
    });
    startSending(database, server);
    await invite();
    await deliveryIs('failed');
    expect(server.commands.filter((command) => /^RCPT/.test(command))).toHaveLength(1);
    expect(await everythingKept()).toContain('the mail server answered 550 to RCPT TO');
  });

  test('that the server defers is tried again, and the link of the last mail is the one that opens', async () => {
    let deferred = 0;
    const server = await startSmtpServer({
      // The mail may have come through all the same.
      answer: (command) => (command === '.' && ++deferred === 1 ? '451 later' : undefined),
    });
    startSending(database, server);
    await invite();
    await eventually(() => expect(deferred).toBe(1));
    await eventually(async () => expect(await everythingKept()).toContain('answered 451'));
    await makeMailsDue(database, organisation.id);
    await deliveryIs('sent');
    expect((await accept(tokenIn(server.received[0]?.text ?? ''))).status).toBe(200);
  });

  test('that is revoked before it is sent is not sent', async () => {
    const { body } = await invite();
    await admin('DELETE', `/api/org/invites/${textAt(body, 'invite.id')}`);
    const server = await startSmtpServer();
    startSending(database, server);
    await invite();
    await deliveryIs('sent');
    await eventually(async () => expect(await everythingKept()).toContain('nobody is to get it any more'));
    expect(server.received).toHaveLength(1);
  });

  test('of a day ago is sent no more', async () => {
    await invite();
    await database.system((tx) =>
      sql`update webhook_deliveries set created_at = now() - interval '25 hours'
        where organisation_id = ${organisation.id}`.execute(tx),
    );
    const server = await startSmtpServer();
    startSending(database, server);
    await deliveryIs('failed');
    expect(server.received).toEqual([]);
  });

  test('queued before a stop is sent after it, once, however many send', async () => {
    const server = await startSmtpServer();
    await invite();
    const stops = [startSending(database, server), startSending(database, server)];
    await deliveryIs('sent');
    for (const stop of stops) await stop();
    expect(server.received).toHaveLength(1);
  });

  test('waits where an instance without a mail server looks, for one that has one', async () => {
    await invite();
    const stop = startSending(database, null);
    const other = await service.newOrganisation();
    await database.system((tx) =>
      tx
        .insertInto('webhook_deliveries')
        .values({
          ...{ organisation_id: other.id, id: randomUUID(), webhook_id: null, member_id: other.member.id },
          ...{ event: 'owner_notifications', payload: '{}', status: 'queued' as const, next_attempt_at: new Date() },
        })
        .execute(),
    );
    const statuses = () =>
      database.system((tx) =>
        tx
          .selectFrom('webhook_deliveries')
          .select(['status', 'last_error'])
          .where('organisation_id', '=', other.id)
          .execute(),
      );
    await eventually(async () =>
      expect(await statuses()).toEqual([{ status: 'failed', last_error: 'this server sends no mail' }]),
    );
    await stop();
    expect(at(await invites(), 'items.0.delivery')).toBe('pending');
    startSending(database, await startSmtpServer());
    await deliveryIs('sent');
  });

  test('is no spam: names are short lines without addresses, and no header holds one', async () => {
    const evil = 'Eve\r\nBcc: all@victims.example\r\n\r\nWin at https://evil.example/now or www.evil.example';
    await database.system(async (tx) => {
      await tx.updateTable('organisations').set({ name: evil }).where('id', '=', organisation.id).execute();
      await tx.updateTable('members').set({ name: evil }).where('id', '=', organisation.admin.id).execute();
    });
    const server = await startSmtpServer();
    startSending(database, server);
    await invite();
    await deliveryIs('sent');
    const [{ headers, text } = { headers: {}, text: '' }] = server.received;
    expect(Object.keys(headers)).not.toContain('bcc');
    expect(server.commands.filter((command) => /^RCPT/.test(command))).toEqual([`RCPT TO:<${email}>`]);
    expect(text).toMatch(/^Eve Bcc: all@ victims\. example Win at https:\/\/ evil\. example[^\n]*… invites you/);
    expect(text.match(/https?:\/\/\S/g)).toHaveLength(1);
    expect(text.length).toBeLessThan(1_000);
  });
});

describe('links', () => {
  const limited = { status: 429, code: 'rate_limited' };

  const passes = (time: string) =>
    database.system((tx) => sql`update webhook_deliveries set created_at = created_at - ${time}::interval`.execute(tx));

  test('are few to one address within a day', async () => {
    for (let nth = 0; nth < 5; nth += 1) {
      const { body } = await invite();
      await admin('DELETE', `/api/org/invites/${textAt(body, 'invite.id')}`);
    }
    const refused = await invite();
    expect(refused.body).toMatchObject(limited);
    expect(refused.headers.get('retry-after')).toBe('86400');
    expect(at(await invites(), 'total')).toBe(0);
    expect((await invite(`other-${email}`)).status).toBe(200);
    await passes('23 hours');
    expect((await invite()).body).toMatchObject(limited);
    await passes('1 hour');
    expect((await invite()).status).toBe(200);
  });

  test('are fifty of an organisation within an hour, and none of another', async () => {
    for (let nth = 0; nth < 49; nth += 1) expect((await invite(`${nth}-${email}`)).status).toBe(200);
    const both = await Promise.all([invite(`a-${email}`), invite(`b-${email}`)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 429]);
    expect(
      (await service.call(organisation.member.session, 'POST', '/api/session/address-proof', {})).body,
    ).toMatchObject(limited);
    const other = await service.newOrganisation();
    expect((await service.call(other.admin.session, 'POST', '/api/org/invites', { email })).status).toBe(200);
    await passes('1 hour');
    expect((await invite()).status).toBe(200);
  });
});

describe('a new password', () => {
  const reset = () => admin('POST', `/api/org/members/${organisation.member.id}/password-reset`);
  const use = (token: string) => service.call(null, 'POST', '/api/session/password-reset', { token, password });
  const provenBy = async () =>
    (
      await database.system((tx) =>
        tx
          .selectFrom('members')
          .select('proven_by')
          .where('organisation_id', '=', organisation.id)
          .where('id', '=', organisation.member.id)
          .executeTakeFirstOrThrow(),
      )
    ).proven_by;

  test('is set by a link that the member alone gets, which shows the address', async () => {
    const server = await startSmtpServer();
    startSending(database, server);
    expect((await reset()).body).toEqual({ token: null, mailed: true, expires_at: null });
    await eventually(() => expect(server.received).toHaveLength(1));
    const [mail] = server.received;
    expect(mail).toMatchObject({ to: organisation.member.email, headers: { subject: 'A new password for Postern' } });
    const token = tokenIn(mail?.text ?? '');
    expect(mail?.text).toContain(`${publicUrl}/reset-password#token=postern_reset_`);
    expect(await everythingKept()).not.toContain(token);
    expect((await use(token)).body).toEqual({ reset: true });
    expect(await provenBy()).toBe('mail');
    expect((await service.call(organisation.member.session, 'GET', '/api/session')).status).toBe(401);
    const { email: own } = organisation.member;
    expect((await service.call(null, 'POST', '/api/session', { email: own, password })).status).toBe(200);
    expect((await use(token)).status).toBe(422);
  });

  test('by the operator’s token shows nothing, in place of one that was mailed too', async () => {
    const server = await startSmtpServer();
    startSending(database, server);
    await reset();
    await eventually(() => expect(server.received).toHaveLength(1));
    const { body } = await service.call(service.operatorKey, 'POST', '/api/operator/password-resets', {
      email: organisation.member.email,
    });
    expect((await use(tokenIn(server.received[0]?.text ?? ''))).status).toBe(422);
    expect((await use(textAt(body, 'token'))).status).toBe(200);
    expect(await provenBy()).toBeNull();
  });

  test('leaves who has shown the address before', async () => {
    await database.system((tx) =>
      tx.updateTable('members').set({ proven_by: 'operator' }).where('id', '=', organisation.member.id).execute(),
    );
    const server = await startSmtpServer();
    startSending(database, server);
    await reset();
    await eventually(() => expect(server.received).toHaveLength(1));
    expect((await use(tokenIn(server.received[0]?.text ?? ''))).status).toBe(200);
    expect(await provenBy()).toBe('operator');
  });

  test('of a member who was deactivated meanwhile is not sent', async () => {
    await reset();
    await database.system((tx) =>
      tx.updateTable('members').set({ deactivated_at: new Date() }).where('id', '=', organisation.member.id).execute(),
    );
    const server = await startSmtpServer();
    startSending(database, server);
    await eventually(async () => expect(await everythingKept()).toContain('nobody is to get it any more'));
    expect(server.received).toEqual([]);
  });
});

describe('a member’s own address', () => {
  const prove = (session = organisation.member.session) =>
    service.call(session, 'POST', '/api/session/address-proof', {});
  const confirm = (token: string, session = organisation.member.session) =>
    service.call(session, 'PUT', '/api/session/address-proof', { token });
  const invalid = { status: 422, errors: [{ field: 'token', reason: 'proof_invalid' }] };

  async function mailed(): Promise<string> {
    const server = await startSmtpServer();
    startSending(database, server);
    expect((await prove()).body).toEqual({ mailed_to: organisation.member.email });
    await eventually(() => expect(server.received).toHaveLength(1));
    const [mail] = server.received;
    expect(mail?.to).toBe(organisation.member.email);
    expect(mail?.text).toContain(`${publicUrl}/settings/account#token=postern_address_`);
    return tokenIn(mail?.text ?? '');
  }

  test('is shown by the link to it, once, where the member is signed in', async () => {
    const token = await mailed();
    expect(await everythingKept()).not.toContain(token);
    // Who made the account for a stranger has the stranger's link neither opened by nor for himself.
    expect((await confirm(token, organisation.admin.session)).body).toMatchObject(invalid);
    expect((await confirm(`${token}x`)).body).toMatchObject(invalid);
    const { body } = await confirm(token);
    expect(body).toMatchObject({ id: organisation.member.id, proven_by: 'mail' });
    expect((await confirm(token)).body).toMatchObject(invalid);
    const log = await admin('GET', '/api/org/audit-log');
    expect(at(log.body, 'items.0')).toMatchObject({ action: 'address_proof.confirm', after: { proven_by: 'mail' } });
  });

  test('is not shown after a day', async () => {
    const token = await mailed();
    await database.system((tx) =>
      tx
        .updateTable('webhook_deliveries')
        .set({ attempted_at: new Date(Date.now() - 24 * 3_600_000) })
        .where('organisation_id', '=', organisation.id)
        .execute(),
    );
    expect((await confirm(token)).body).toMatchObject(invalid);
  });

  test('is not shown by a link to an earlier one', async () => {
    const token = await mailed();
    await database.system((tx) =>
      tx.updateTable('members').set({ email }).where('id', '=', organisation.member.id).execute(),
    );
    expect((await confirm(token)).body).toMatchObject(invalid);
  });

  test('is not a key’s business', async () => {
    expect((await prove(organisation.writeKey)).status).toBe(403);
    expect((await confirm('x', organisation.writeKey)).status).toBe(403);
  });
});

test('without a mail server tokens are answered, show nothing, and no link goes to an address', async () => {
  const plain = await startService({ database, jwtKey: service.jwtKey });
  try {
    const { session } = organisation.admin;
    const { body } = await plain.call(session, 'POST', '/api/org/invites', { email });
    expect(body).toMatchObject({ mailed: false, invite: { delivery: null } });
    expect((await accept(textAt(body, 'token'))).body).toMatchObject({ email, proven_by: null });
    const reset = await plain.call(session, 'POST', `/api/org/members/${organisation.member.id}/password-reset`);
    expect(reset.body).toMatchObject({ token: expect.any(String), mailed: false, expires_at: expect.any(String) });
    const proof = await plain.call(session, 'POST', '/api/session/address-proof', {});
    expect(proof.body).toMatchObject({ status: 409, reason: 'no_mail' });
    const sends = await Promise.all([plain, service].map((each) => each.call(session, 'GET', '/api/session')));
    expect(sends.map((answer) => at(answer.body, 'sends_mail'))).toEqual([false, true]);
  } finally {
    await plain.close();
  }
});

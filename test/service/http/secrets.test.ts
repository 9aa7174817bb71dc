import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { textAt } from '../../support/at.js';
import { startService, type TestService } from '../../support/service.js';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

test('no secret reaches a log line, an audit row or an error', async () => {
  const { admin, member, readKey, writeKey, id } = await service.newOrganisation();
  const newcomer = { email: `${randomUUID()}@example.com`, password: `chosen ${randomUUID()}` };
  const signedIn = await service.call(null, 'POST', '/api/session', { email: member.email, password: member.password });
  const key = await service.call(admin.session, 'POST', '/api/org/api-keys', { name: 'ci', scope: 'ReadWrite' });
  const invite = await service.call(admin.session, 'POST', '/api/org/invites', { email: newcomer.email });
  const token = textAt(invite.body, 'token');
  const accepted = await service.call(null, 'POST', '/api/invites/accept', {
    token,
    name: 'New',
    password: newcomer.password,
  });
  expect(accepted.status).toBe(200);
  const made = await service.call(service.operatorKey, 'POST', '/api/operator/organisations', {
    name: 'n',
    plan: 'Free',
    admin: { email: `${randomUUID()}@example.com`, name: 'n' },
  });
  const secrets = {
    session: admin.session,
    signedIn: textAt(signedIn.body, 'token'),
    readKey,
    writeKey,
    newKey: textAt(key.body, 'key'),
    invite: token,
    memberPassword: member.password,
    newcomerPassword: newcomer.password,
    madePassword: textAt(made.body, 'admin.password'),
    operatorKey: service.operatorKey,
    jwtKey: Buffer.from(service.jwtKey).toString('hex'),
  };

  const errors: unknown[] = [];
  for (const secret of Object.values(secrets)) {
    const tries = [
      service.call(secret, 'GET', `/api/projects/${encodeURIComponent(secret)}`),
      service.call(secret, 'POST', '/api/projects', { name: secret, exposure: secret }),
      service.call(writeKey, 'POST', '/api/projects', `{"name": "${secret}", ${secret}}`),
      service.call(null, 'POST', '/api/session', { email: secret, password: secret }),
      service.call(null, 'POST', '/api/invites/accept', { token: `${secret}!`, name: 'x', password: secret }),
      service.call(
        readKey,
        'GET',
        `/api/org/audit-log?actor=${encodeURIComponent(secret)}&since=${encodeURIComponent(secret)}`,
      ),
      service.call(
        writeKey,
        'POST',
        '/api/projects',
        { name: 'k' },
        { 'idempotency-key': `${secret.replaceAll(' ', '_')}` },
      ),
    ];
    for (const answer of await Promise.all(tries)) if (answer.status >= 400) errors.push(answer.body);
  }
  expect(errors.length).toBeGreaterThan(30);

  const audit = await service.database.system((tx) =>
    tx.selectFrom('audit_log').selectAll().where('organisation_id', '=', id).execute(),
  );
  const log = service.log();
  expect(log).toContain('"procedure":"session.create"');
  expect(audit.length).toBeGreaterThan(3);
  for (const [name, secret] of Object.entries(secrets)) {
    expect(log.includes(secret), `${name} in the log`).toBe(false);
    expect(JSON.stringify(errors).includes(secret), `${name} in an error`).toBe(false);
    expect(JSON.stringify(audit).includes(secret), `${name} in the audit log`).toBe(false);
  }
});

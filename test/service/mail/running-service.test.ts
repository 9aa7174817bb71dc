import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { folderWithDatabase, startPosternProgram } from '../../bin/running-postern.js';
import { textAt } from '../../support/at.js';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/free-port.js';
import { startSmtpServer } from '../../support/smtp-server.js';
import { tokenIn } from './mailing-service.js';

test('a mail outlives the program that queued it and was killed, and no log has a credential, an address or a link', async () => {
  const server = await startSmtpServer({ answer: () => '421 not yet' });
  const [dataDir, port] = [await folderWithDatabase(), await freePort()];
  const env = {
    DATA_DIR: dataDir,
    SMTP_URL: server.url.replace('//', '//user:topsecret@'),
    MAIL_FROM: 'Postern <postern@example.com>',
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    LOG_LEVEL: 'debug',
  };
  const first = startPosternProgram(env);
  const url = await first.ready();
  const run: unknown = JSON.parse(await readFile(path.join(dataDir, 'first-run.json'), 'utf8'));
  const post = async (route: string, body: unknown, token?: string): Promise<unknown> => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    const response = await fetch(`${url}${route}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return response.json();
  };
  const { email, password } = Object(Object(run).admin);
  const { token } = Object(await post('/api/session', { email, password }));
  const invited = await post('/api/org/invites', { email: 'ada@example.com' }, token);
  expect(invited).toMatchObject({ token: null, mailed: true });
  first.kill('SIGKILL');
  await first.ended;
  await server.close();

  const back = await startSmtpServer({ port: server.port });
  const second = startPosternProgram(env);
  await second.ready();
  await eventually(() => expect(back.received.length).toBeGreaterThan(0));
  second.kill('SIGTERM');
  expect(await second.ended).toBe(0);
  const [mail] = back.received;
  expect(mail?.to).toBe('ada@example.com');
  expect(back.commands).toContain(`AUTH PLAIN ${Buffer.from('\0user\0topsecret').toString('base64')}`);
  for (const log of [first.stdout(), first.stderr(), second.stdout(), second.stderr()]) {
    for (const secret of ['topsecret', 'ada@example.com', tokenIn(mail?.text ?? '')]) expect(log).not.toContain(secret);
  }
  expect(textAt(invited, 'invite.email')).toBe('ada@example.com');
});

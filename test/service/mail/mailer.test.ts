import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createMailer } from '../../../src/service/mail/mailer.js';
import { startSmtpServer } from '../../support/smtp-server.js';
import { portOf } from '../../support/upstream.js';

const mail = { id: 'msg_1', to: 'ada@example.com', subject: 'Hello', text: 'A text\n.\nthat goes on' };
const from = 'postern@example.com';
const never = new AbortController().signal;

const answering = (pattern: RegExp, line: string | null) => (command: string) =>
  pattern.test(command) ? line : undefined;

test('a mail arrives as it is, under an id that each attempt has', async () => {
  const server = await startSmtpServer();
  const send = createMailer({ url: server.url, from });
  for (const _ of [1, 2]) expect(await send(mail, never)).toEqual({ outcome: 'delivered' });
  const ids = server.received.map(({ headers }) => headers['message-id']);
  expect(ids).toEqual(['<msg_1@example.com>', '<msg_1@example.com>']);
  expect(server.received[0]).toMatchObject({ from, to: mail.to, text: mail.text });
});

test.each([{ subject: 'Hello\r\nBcc: all@victims.example' }, { text: 'Hello\r\n.\r\nRCPT TO:<all@victims.example>' }])(
  'nothing of a mail is a header or a command: %j',
  async (change) => {
    const server = await startSmtpServer();
    await createMailer({ url: server.url, from })({ ...mail, ...change }, never);
    const receivers = server.commands.filter((command) => /^RCPT TO/.test(command));
    expect(receivers.filter((command) => /victims/.test(command))).toEqual([]);
    expect(server.received.flatMap(({ headers }) => Object.keys(headers))).not.toContain('bcc');
  },
);

test.each(['ada@example.com>\r\nRCPT TO:<all@victims.example', 'ada@example.com, all@victims.example', 'ada'])(
  'to %j nothing is sent',
  async (to) => {
    const server = await startSmtpServer();
    const sent = await createMailer({ url: server.url, from })({ ...mail, to }, never);
    expect(sent).toEqual({ outcome: 'gone', error: 'no mail goes to such an address' });
    expect(server.commands).toEqual([]);
  },
);

test('the credentials are those of the address, decoded', async () => {
  const server = await startSmtpServer();
  const url = server.url.replace('//', '//user%40example.com:p%2Fw@');
  expect(await createMailer({ url, from })(mail, never)).toEqual({ outcome: 'delivered' });
  const plain = Buffer.from('\0user@example.com\0p/w').toString('base64');
  expect(server.commands).toContain(`AUTH PLAIN ${plain}`);
});

test('no password goes over a line in clear to another machine', async () => {
  const server = await startSmtpServer({ answer: answering(/^STARTTLS/, '502 no such command') });
  // Not an address that a program can know to be this machine's.
  const url = `smtp://user:secret@0.0.0.0:${server.port}`;
  expect(await createMailer({ url, from })(mail, never)).toMatchObject({ outcome: 'failed', hung: false });
  expect(server.commands.some((command) => /^AUTH/.test(command))).toBe(false);
});

describe('a failure says what the server answered, and neither its words nor an address', () => {
  test.each([
    [/^RCPT/, '550 ada@example.com unknown', 'gone', 'the mail server answered 550 to RCPT TO'],
    [/^\.$/, '554 spam', 'gone', 'the mail server answered 554 to DATA'],
    [/^RCPT/, '451 greylisted', 'failed', 'the mail server answered 451 to RCPT TO'],
    [/^MAIL/, '550 who are you', 'failed', 'the mail server answered 550 to MAIL FROM'],
    [/^AUTH/, '535 wrong', 'failed', 'the mail server answered 535 to AUTH PLAIN'],
  ] as const)('%s: %s', async (pattern, line, outcome, error) => {
    const server = await startSmtpServer({ answer: answering(pattern, line) });
    const url = server.url.replace('//', '//user:secret@');
    expect(await createMailer({ url, from })(mail, never)).toMatchObject({ outcome, error });
    expect(server.received).toEqual([]);
  });

  test('nobody listens', async () => {
    const { url, close } = await startSmtpServer();
    await close();
    const error = 'no mail could be handed in (ECONNREFUSED)';
    expect(await createMailer({ url, from })(mail, never)).toMatchObject({ outcome: 'failed', error, hung: false });
  });

  test('it never answers', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const url = `smtp://127.0.0.1:${portOf(silent.address())}`;
    const hung = { outcome: 'failed', error: 'no answer within 0.1 s', hung: true };
    expect(await createMailer({ url, from, timeoutMs: 100 })(mail, never)).toMatchObject(hung);
    const server = await startSmtpServer({ answer: answering(/^\.$/, null) });
    expect(await createMailer({ url: server.url, from, timeoutMs: 100 })(mail, never)).toMatchObject(hung);
    silent.close();
  });
});

test('a stop ends an attempt', async () => {
  const server = await startSmtpServer({ answer: answering(/^MAIL/, null) });
  const stopping = new AbortController();
  const sent = createMailer({ url: server.url, from })(mail, stopping.signal);
  stopping.abort();
  expect(await sent).toMatchObject({ outcome: 'failed' });
});

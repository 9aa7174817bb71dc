import { createTransport, type NodemailerError } from 'nodemailer';
import type { Sent } from '../webhooks/send.js';

/** Where mails are handed in, and whom they are from. */
export interface MailServer {
  /** `smtp:` or `smtps:`, with the credentials. */
  readonly url: string;
  /** An address, with or without a name. */
  readonly from: string;
  /** From the beginning of an attempt to the server's word that it has the mail. Below the lease of a delivery. */
  readonly timeoutMs?: number;
}

export interface Mail {
  /** The same in every attempt, so that mail programs can recognise a repetition. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export type SendMail = (mail: Mail, stopping: AbortSignal) => Promise<Sent>;

/** One address, without quotes and without anything that means something in a header or a command. */
const plainAddress = /^[^\s\p{Cc}<>()[\]\\,;:@"]+@[^\s\p{Cc}<>()[\]\\,;:@"]+$/u;

/** Hands mails in, one connection for each. Never throws. The error texts hold nothing of the address, the server's words or the mail. */
export function createMailer({ url, from, timeoutMs = 30_000 }: MailServer): SendMail {
  const transport = createTransport({ ...connectionOf(url), disableFileAccess: true, disableUrlAccess: true });
  const [, domain = 'localhost'] = /@([^@<>]+)>?$/.exec(from) ?? [];
  return async ({ id, to, subject, text }, stopping) => {
    if (!plainAddress.test(to)) return { outcome: 'gone', error: 'no mail goes to such an address' };
    const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), stopping]);
    try {
      await transport.sendMail({
        ...{ from, to: { name: '', address: to }, subject, text, signal },
        messageId: `<${id}@${domain}>`,
        // No answering machine replies to it (RFC 3834).
        headers: { 'auto-submitted': 'auto-generated' },
      });
      return { outcome: 'delivered' };
    } catch (error) {
      return signal.aborted ? { ...failed(`no answer within ${timeoutMs / 1_000} s`), hung: true } : refusal(error);
    }
  };
}

function connectionOf(text: string) {
  const { protocol, hostname, port, username, password } = new URL(text);
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  const host = hostname.replace(/^\[|\]$/g, '');
  const auth = { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  const secure = protocol === 'smtps:';
  return {
    ...{ host, secure, port: port === '' ? undefined : Number(port) },
    ...(username !== '' && { auth }),
    // Else who sits in between could take STARTTLS out of the server's answer, and read the password.
    requireTLS: !secure && username !== '' && !isLocal,
  };
}

function refusal(error: unknown): Sent {
  const { code, originalCode, responseCode, command, permanent }: NodemailerError =
    error instanceof Error ? error : new Error();
  if (responseCode === undefined)
    return failed(`no mail could be handed in (${originalCode ?? code ?? 'unknown reason'})`);
  const answered = `the mail server answered ${responseCode} to ${command ?? 'the mail'}`;
  // What it says of sender or credentials is the operator's to mend: the mail is tried again.
  const isForGood = permanent === true && (command === 'RCPT TO' || command === 'DATA');
  return isForGood ? { outcome: 'gone', error: answered } : failed(answered);
}

function failed(error: string) {
  return { outcome: 'failed', error, retryAfterSeconds: null, hung: false } as const;
}

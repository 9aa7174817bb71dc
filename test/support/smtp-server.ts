import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { portOf } from './upstream.js';

export interface ReceivedMail {
  /** The envelope's. */
  readonly from: string;
  readonly to: string;
  /** By name in lower case, unfolded and decoded. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

interface Behaviour {
  /** What it answers to a command, as `RCPT TO:<a@example.com>`; undefined: that all is well. Null: nothing at all. */
  readonly answer?: (command: string) => string | null | undefined;
  readonly port?: number;
}

/** A mail server on loopback until the test is over. */
export async function startSmtpServer({ answer, port = 0 }: Behaviour = {}) {
  const received: ReceivedMail[] = [];
  const commands: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('close', () => sockets.delete(socket)).on('error', () => {}));
    void converse(socket);
  });

  async function converse(socket: Socket): Promise<void> {
    const say = (line: string) => socket.write(`${line}\r\n`);
    say('220 test ESMTP');
    let [from, to] = ['', ''];
    let data: string[] | null = null;
    for await (const line of createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (data !== null && line !== '.') {
        data.push(line.replace(/^\./, ''));
        continue;
      }
      const command = data === null ? line : '.';
      commands.push(command);
      const given = answer?.(command);
      if (given === null) continue;
      if (data !== null && given === undefined) received.push({ from, to, ...parse(data) });
      data = null;
      if (given !== undefined) say(given);
      else if (command === 'DATA') say('354 go on');
      else if (/^EHLO/i.test(command)) say('250-test\r\n250-AUTH PLAIN\r\n250 8BITMIME');
      else if (/^AUTH/i.test(command)) say('235 welcome');
      else say('250 ok');
      if (given !== undefined) continue;
      if (command === 'DATA') data = [];
      from = /^MAIL FROM:<(.*?)>/i.exec(command)?.[1] ?? from;
      to = /^RCPT TO:<(.*?)>/i.exec(command)?.[1] ?? to;
    }
  }

  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    if (!server.listening) return;
    server.close();
    await once(server, 'close');
  };
  onTestFinished(close);
  const listening = portOf(server.address());
  return { url: `smtp://127.0.0.1:${listening}`, port: listening, received, commands, close };
}

function parse(lines: readonly string[]): Pick<ReceivedMail, 'headers' | 'text'> {
  const end = lines.indexOf('');
  const unfolded = lines
    .slice(0, end)
    .join('\n')
    .replace(/\n[ \t]+/g, ' ')
    .split('\n');
  const headers = Object.fromEntries(
    unfolded.map((line) => {
      const [name = '', ...rest] = line.split(':');
      return [name.toLowerCase(), decodeWords(rest.join(':').trim())];
    }),
  );
  const body = lines.slice(end + 1).join('\n');
  const encoding = headers['content-transfer-encoding'];
  if (encoding === 'base64') return { headers, text: Buffer.from(body, 'base64').toString() };
  return { headers, text: encoding === 'quoted-printable' ? decodeQuoted(body.replaceAll('=\n', '')) : body };
}

/** Quoted-printable, RFC 2045. */
function decodeQuoted(text: string): string {
  return decodeURIComponent(text.replaceAll('%', '%25').replace(/=([0-9A-F]{2})/g, '%$1'));
}

/** Encoded words of a header, RFC 2047. */
function decodeWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?(.*?)\?=/gi, (_, kind: string, coded: string) =>
      kind.toLowerCase() === 'b' ? Buffer.from(coded, 'base64').toString() : decodeQuoted(coded.replaceAll('_', ' ')),
    );
}

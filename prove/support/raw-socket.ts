import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';

/** Opens a connection to a server, under TLS where its address says so. */
export function openSocket(url: string): Socket {
  const { protocol, hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  return protocol === 'https:'
    ? connectSecure({ host, port: Number(port || 443), servername: host })
    : connectPlain({ host, port: Number(port || 80) });
}

export interface RawAnswer {
  readonly text: string;
  /** Statuses of all responses that came, in order. */
  readonly statuses: readonly number[];
  /** `hung`: neither an answer nor an end came within the limit. */
  readonly end: 'answered' | 'closed' | 'hung';
}

/** Sends bytes as they are, and reads until so many responses have come, the server closes, or the limit passes. */
export function sendRaw(url: string, bytes: string | Buffer, responses = 1, limitMs = 30_000): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const socket = openSocket(url);
    let text = '';
    const finish = (end: RawAnswer['end']) => {
      clearTimeout(limit);
      socket.destroy();
      resolve({ text, statuses: statusesOf(text), end });
    };
    const limit = setTimeout(() => finish('hung'), limitMs);
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (completeResponses(text) >= responses) finish('answered');
    });
    socket.on('error', () => finish('closed'));
    socket.on('close', () => finish('closed'));
    socket.write(bytes);
  });
}

function statusesOf(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
}

/** Responses whose body is there as far as Content-Length says; others count once their head is there. */
function completeResponses(text: string): number {
  let [count, rest] = [0, text];
  for (let end = rest.indexOf('\r\n\r\n'); end >= 0; end = rest.indexOf('\r\n\r\n')) {
    const length = Number(/^content-length: (\d+)/im.exec(rest.slice(0, end))?.[1] ?? 0);
    if (rest.length < end + 4 + length) break;
    rest = rest.slice(end + 4 + length);
    count += 1;
  }
  return count;
}

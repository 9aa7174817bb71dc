import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** What a name has: TXT records as their parts, no record, no such name, a failure of the server, or no answer at all. */
export type TxtAnswer = readonly (readonly string[])[] | 'no such name' | 'failure' | 'silence';

export interface DnsServer {
  /** As `Resolver.setServers` takes it. */
  readonly address: string;
  /** By name, in lower case; what is still to come is waited for. Any other name is none. */
  readonly names: Map<string, TxtAnswer | Promise<TxtAnswer>>;
  /** Names that were asked for. */
  readonly asked: string[];
  readonly close: () => Promise<void>;
}

const headerLength = 12;
const codes = { answered: 0, failure: 2, 'no such name': 3 } as const;
const [txt, internet] = [16, 1];

/** A DNS server on loopback that answers for TXT records alone (RFC 1035, 4). */
export async function startDnsServer(): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const names = new Map<string, TxtAnswer | Promise<TxtAnswer>>();
  const asked: string[] = [];
  socket.on('message', async (query, from) => {
    const { name, end } = questionOf(query);
    asked.push(name);
    const answer = (await names.get(name)) ?? 'no such name';
    if (answer !== 'silence') socket.send(answerTo(query.subarray(0, end), answer), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    ...{ address: `127.0.0.1:${socket.address().port}`, names, asked },
    async close() {
      socket.close();
      await once(socket, 'close');
    },
  };
}

/** The one name that is asked for, and where its question ends. */
function questionOf(query: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let at = headerLength;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const typeAndClass = 4;
  return { name: labels.join('.').toLowerCase(), end: at + 1 + typeAndClass };
}

function answerTo(question: Buffer, answer: Exclude<TxtAnswer, 'silence'>): Buffer {
  const records = typeof answer === 'string' ? [] : answer;
  const message = Buffer.concat([question, ...records.map(recordOf)]);
  const isResponse = 0x8180;
  message.writeUInt16BE(isResponse | (typeof answer === 'string' ? codes[answer] : codes.answered), 2);
  message.writeUInt16BE(1, 4);
  message.writeUInt16BE(records.length, 6);
  message.writeUInt32BE(0, 8);
  return message;
}

function recordOf(parts: readonly string[]): Buffer {
  const data = Buffer.concat(parts.map((part) => Buffer.from([part.length, ...Buffer.from(part, 'latin1')])));
  const head = Buffer.alloc(headerLength);
  // The name is the question's.
  head.writeUInt16BE(0xc000 | headerLength, 0);
  head.writeUInt16BE(txt, 2);
  head.writeUInt16BE(internet, 4);
  head.writeUInt32BE(0, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

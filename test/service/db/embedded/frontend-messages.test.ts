import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type FrontendPart, FrontendStream } from '../../../../src/service/db/embedded/frontend-messages.js';

function startup(text: string): Buffer {
  const packet = Buffer.alloc(8 + text.length);
  packet.writeInt32BE(packet.length);
  packet.writeInt32BE(196608, 4);
  packet.write(text, 8);
  return packet;
}

function message(type: string, body: string): Buffer {
  const packet = Buffer.alloc(5 + body.length);
  packet.write(type);
  packet.writeInt32BE(packet.length - 1, 1);
  packet.write(body, 5);
  return packet;
}

/** Parts with neighbouring messages joined: how they fell into calls does not matter. */
function joined(parts: readonly FrontendPart[]): string[] {
  const all: string[] = [];
  for (const part of parts) {
    if (part.kind === 'terminate') all.push('terminate');
    else all.push(`${part.kind} ${Buffer.from(part.bytes).toString('latin1')}`);
  }
  return all.join('|').replaceAll('|messages ', '').split('|');
}

describe('a client’s byte stream', () => {
  const body = fc.string({ unit: 'binary-ascii', maxLength: 40 });
  const messages = fc.array(fc.tuple(fc.constantFrom('P', 'B', 'E', 'S', 'Q'), body), { minLength: 1, maxLength: 8 });
  const cuts = fc.array(fc.nat(400), { maxLength: 12 });

  test('is cut into the same messages however it was split', () => {
    fc.assert(
      fc.property(messages, cuts, (sent, at) => {
        const wire = sent.map(([type, text]) => message(type, text));
        const bytes = Buffer.concat([startup('user'), ...wire, message('X', '')]);
        const edges = [0, ...at.map((cut) => cut % bytes.length).sort((a, b) => a - b), bytes.length];
        const stream = new FrontendStream();
        const parts: FrontendPart[] = [];
        edges.forEach((from, index) => {
          parts.push(...stream.push(bytes.subarray(from, edges[index + 1])));
        });
        const whole = new FrontendStream().push(bytes);
        expect(joined(parts)).toEqual(joined(whole));
        expect(whole).toEqual([
          { kind: 'startup', bytes: startup('user') },
          { kind: 'messages', bytes: Buffer.concat(wire) },
          { kind: 'terminate' },
        ]);
      }),
    );
  });

  test('keeps what came together together, and holds back what is not complete', () => {
    const stream = new FrontendStream();
    stream.push(startup('user'));
    const pipelined = Buffer.concat([message('P', 'parse'), message('B', 'bind'), message('S', '')]);
    const next = message('Q', 'select 1');
    expect(stream.push(Buffer.concat([pipelined, next.subarray(0, 7)]))).toEqual([
      { kind: 'messages', bytes: pipelined },
    ]);
    expect(stream.push(next.subarray(7))).toEqual([{ kind: 'messages', bytes: next }]);
  });

  test('is rejected where a message says that it is shorter than its header', () => {
    const stream = new FrontendStream();
    stream.push(startup('user'));
    expect(() => stream.push(Buffer.from([81, 0, 0, 0, 3]))).toThrow('shorter than its own header');
  });
});

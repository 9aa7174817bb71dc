import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readJson } from '../../../src/gateway/http/request-checks.js';
import { portOf } from '../../support/upstream.js';

const limit = 1024;

/** What the errors of a body are judged by. */
const showError: ErrorRequestHandler = ({ name, status, type }, _req, res, _next) => {
  res.json({ name, status, type });
};

const showBody: RequestHandler = (req, res) => {
  res.json({ body: req.body ?? 'none' });
};

async function serve(reader: RequestHandler) {
  const app = express().post('/', reader, showBody, showError);
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

let servers: Awaited<ReturnType<typeof serve>>[];
beforeAll(async () => {
  servers = [await serve(readJson(limit)), await serve(express.json({ limit }))];
});
afterAll(() => {
  for (const server of servers) server.close();
});

const json = { 'content-type': 'application/json' };

/** The same request to both, byte by byte, its body in these pieces. */
async function answersTo(headers: Readonly<Record<string, string>>, ...pieces: readonly Buffer[]) {
  const body = Buffer.concat(pieces);
  const length = 'transfer-encoding' in headers ? {} : { 'content-length': String(body.length) };
  const all = { host: 'localhost', connection: 'close', ...length, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Promise.all(
    servers.map(async (server) => {
      const socket = connect({ port: portOf(server.address()), host: '127.0.0.1', noDelay: true });
      socket.write(`POST / HTTP/1.1\r\n${lines.join('')}\r\n`);
      for (const piece of pieces) await new Promise((written) => socket.write(piece, written));
      return (await text(socket)).replace(/^date: .*\r\n/im, '');
    }),
  );
}

async function expectSame(headers: Readonly<Record<string, string>>, ...pieces: ReadonlyArray<string | Buffer>) {
  const [one, other] = await answersTo(
    headers,
    ...pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)),
  );
  expect(one).toBe(other);
  return one;
}

test.each([
  ...['{"a":"é😀"}', '[1]', ' \r\n\t{"a":1}\n ', '\ufeff{"a":1}', '{"__proto__":1,"a":"\\ud800"}', '{}', '[]'],
  ...['', ' ', '{', '{"a":1}}', 'null', '1', '"x"', 'true', '\ufeff', '\ufeff\ufeff{}', "{'a':1}", '\u0000{}'],
  Buffer.from([0x7b, 0x22, 0xff, 0xc3, 0x22, 0x3a, 0x31, 0x7d]),
])('a body of %j is read as Express reads it', async (body) => {
  await expectSame(json, body);
  await expectSame({ 'content-type': 'Application/JSON; charset=UTF-8' }, body);
});

test('a body that comes in pieces is one body, also where a character is cut', async () => {
  const bytes = Buffer.from('{"a":"é😀"}');
  const pieces = [...bytes].map((byte) => Buffer.from([byte]));
  expect(await expectSame(json, ...pieces)).toContain('{"body":{"a":"é😀"}}');
});

test('a body may have as many bytes as the limit', async () => {
  expect(await expectSame(json, '{"a":1}'.padEnd(limit))).toContain('{"body":{"a":1}}');
  expect(await expectSame(json, '{"a":1}'.padEnd(limit + 1))).toContain('413');
});

test.each<Record<string, string>>([
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/problem+json' },
  { 'content-type': 'application/json; charset=latin1' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': 'application/json; charset="utf-8"' },
  { 'content-type': 'application/json;' },
  { 'content-type': 'application/json, text/plain' },
  { ...json, 'content-encoding': 'identity' },
  { ...json, 'content-encoding': 'x' },
  { ...json, 'content-encoding': 'gzip' },
])('with %j it is read as Express reads it', async (headers) => {
  await expectSame(headers, '{"a":1}');
});

test('a compressed body, one in chunks and none are read as Express reads them', async () => {
  expect(await expectSame({ ...json, 'content-encoding': 'gzip' }, gzipSync('{"a":1}'))).toContain('{"a":1}');
  await expectSame({ ...json, 'transfer-encoding': 'chunked' }, '7\r\n{"a":1}\r\n0\r\n\r\n');
  await expectSame({}, '');
});

test('any bytes are read as Express reads them', async () => {
  const bytes = fc.oneof(
    fc.json().map((each) => Buffer.from(each)),
    fc.uint8Array({ maxLength: 40 }).map((each) => Buffer.from(each)),
    fc.uint8Array({ maxLength: 20 }).map((each) => Buffer.concat([Buffer.from('{"a":"'), each, Buffer.from('"}')])),
  );
  await fc.assert(
    fc.asyncProperty(bytes, async (body) => {
      await expectSame(json, body);
    }),
    { numRuns: 200 },
  );
});

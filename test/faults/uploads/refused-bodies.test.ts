import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type ClientRequest, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newScannedProject } from '../../service/findings/scanned-project.js';
import { startPostern, type TestPostern } from '../../support/postern.js';

const megabyte = 1024 * 1024;
const body = Buffer.alloc(70 * megabyte, ' ');

let postern: TestPostern;
let folder: string;
let file: string;
beforeAll(async () => {
  postern = await startPostern();
  folder = await mkdtemp(path.join(tmpdir(), 'postern-body-'));
  file = path.join(folder, 'body');
  const written = createWriteStream(file);
  written.end(body);
  await once(written, 'close');
});
afterAll(async () => {
  await postern.close();
  await rm(folder, { recursive: true });
});

interface Sent {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends everything before it reads anything, as many simple clients do. */
const simpleClient = `
import http.client, sys, urllib.parse
url = urllib.parse.urlsplit(sys.argv[1])
connection = http.client.HTTPConnection(url.hostname, url.port)
headers = dict(each.split(': ', 1) for each in sys.argv[3:])
connection.request('POST', url.path + '?' + url.query, open(sys.argv[2], 'rb').read(), headers)
print(connection.getresponse().status)`;

async function output(command: string, args: readonly string[]): Promise<string> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  return (await text(child.stdout)).trim();
}

const headerLines = (headers: Sent['headers']) => Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
const curl = ({ url, headers }: Sent, ...more: string[]) =>
  output('curl', [
    ...['-sS', '-o', '/dev/null', '-w', '%{http_code}', '--data-binary', `@${file}`, '-H', 'expect:', ...more],
    ...headerLines(headers).flatMap((line) => ['-H', line]),
    url,
  ]);

/** Real clients: each answers the status that it reads. */
const clients: Readonly<Record<string, (sent: Sent) => Promise<number | string>>> = {
  fetch: async ({ url, headers }) => (await fetch(url, { method: 'POST', headers, body })).status,
  'fetch, in pieces': async ({ url, headers }) =>
    (await fetch(url, { method: 'POST', headers, body: new Blob([body]).stream(), duplex: 'half' })).status,
  supertest: async ({ url, headers }) => (await supertest(url).post('').set(headers).send(body.toString())).status,
  curl: (sent) => curl(sent),
  'curl, in pieces': (sent) => curl(sent, '-H', 'transfer-encoding: chunked'),
  'Python, which sends everything first': ({ url, headers }) =>
    output('python3', ['-c', simpleClient, url, file, ...headerLines(headers)]),
};

describe.each(Object.entries(clients))('the answer to a refused body of 70 MB is read by %s', (_, statusOf) => {
  test.each([
    ['too large for an upload', '/sast/reports?source_repo=shop', true, 422],
    ['too large for a call', '/tech-stack', true, 413],
    ['without a credential', '/sast/reports?source_repo=shop', false, 401],
    ['too large for MCP', null, true, 413],
  ])('%s', async (_what, rest, hasKey, status) => {
    const project = await newScannedProject(postern);
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(hasKey && { authorization: `Bearer ${project.key}` }),
    };
    const url = `${postern.url}${rest === null ? '/mcp' : `${project.path}${rest}`}`;
    expect(Number(await statusOf({ url, headers }))).toBe(status);
  });
});

test('a refused body that never ends is not read for ever', async () => {
  const socket = connect(Number(new URL(postern.url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write('POST /api/projects/x/vex HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n');
  const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(megabyte, ' '), Buffer.from('\r\n')]);
  let [answer, sent] = ['', 0];
  const send = () => {
    while (!socket.destroyed && socket.write(chunk)) sent += 1;
  };
  socket.on('data', (bytes) => {
    answer += bytes.toString();
  });
  socket.on('drain', send).on('error', () => {});
  send();
  // Not `once`, which an error of the connection would end.
  await new Promise((resolve) => socket.on('close', resolve));
  expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  expect(answer).toMatch(/^connection: close\r$/im);
  expect(sent).toBeLessThan(1000);
});

test('a small body that nobody reads does not cost the connection', async () => {
  const { port } = new URL(postern.url);
  const sent: ClientRequest = httpRequest({
    port,
    method: 'POST',
    path: '/api/projects/x/vex',
    headers: { connection: 'keep-alive' },
  });
  sent.end('{}');
  const [response] = await once(sent, 'response');
  expect([response.statusCode, response.headers.connection]).toEqual([401, 'keep-alive']);
  response.resume();
});

import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../../support/service.js';
import { newScannedProject } from '../findings/scanned-project.js';

let service: TestService;
beforeAll(async () => {
  service = await startService({
    uploading: { transfer: { graceMs: 200, windowMs: 1000, bytesPerSecond: 4096, deadlineMs: 60_000 } },
  });
});
afterAll(() => service.close());

/** Begins a request, sends a byte now and then, and answers what comes back until the connection is closed. */
async function sendSlowly(path: string, key: string, length: number): Promise<string> {
  const { port } = new URL(service.url);
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n{`,
  );
  const timer = setInterval(() => socket.write(' '), 50);
  let answer = '';
  socket.on('data', (bytes) => {
    answer += bytes.toString();
  });
  socket.on('error', () => {});
  await once(socket, 'close');
  clearInterval(timer);
  return answer;
}

describe('a body that arrives too slowly', () => {
  test.each([
    ['of an upload', '/sast/reports?source_repo=shop', 60_000_000],
    ['of a small upload', '/sast/reports?source_repo=shop', 10_000],
    ['of an ordinary call', '/tech-stack', 10_000],
  ])('is ended with 408: %s', async (_, path, length) => {
    const project = await newScannedProject(service);
    const answer = await sendSlowly(`${project.path}${path}`, project.key, length);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('arrived more slowly than 4096 bytes a second');
  });

  test('does not keep others from uploading', async () => {
    const [slow, other] = [await newScannedProject(service), await newScannedProject(service)];
    const path = `${slow.path}/sast/reports?source_repo=shop`;
    const sockets = Array.from({ length: 12 }, () => sendSlowly(path, slow.key, 60_000_000));
    const report = JSON.stringify({ version: '2.1.0', runs: [], properties: 'x'.repeat(4_500_000) });
    const answer = await other.call('POST', '/sast/reports?source_repo=shop', report);
    expect(answer.status).not.toBe(503);
    for (const ended of await Promise.all(sockets)) expect(ended).toMatch(/^HTTP\/1\.1 (?:408|503) /);
  });
});

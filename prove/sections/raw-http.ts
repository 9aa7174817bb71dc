import { once } from 'node:events';
import { type Check, judged } from '../support/check.js';
import { send, showsStack } from '../support/http.js';
import { inParallel } from '../support/in-parallel.js';
import type { LocalProof, ReadOnlyProof } from '../support/proof.js';
import { openSocket, sendRaw } from '../support/raw-socket.js';
import { rawCases } from './raw-http-cases.js';

/** Answers above 499 that say what is not offered, rather than that something broke. */
const notOffered = [501, 505];

export async function rawHttp({ url, key }: ReadOnlyProof): Promise<Check[]> {
  const faults: string[] = [];
  const cases = rawCases(new URL(url).host, key);
  await inParallel(cases, 8, async ({ name, bytes, responses = 1, allowed }) => {
    const { statuses, end, text } = await sendRaw(url, bytes, responses);
    const [status] = statuses;
    if (end === 'hung') faults.push(`${name}: no answer and no end`);
    if (showsStack(text)) faults.push(`${name}: the answer shows a stack`);
    if (status === undefined) return;
    if (status >= 500 && !notOffered.includes(status)) faults.push(`${name}: ${status}`);
    else if (allowed !== undefined && !allowed.includes(status))
      faults.push(`${name}: ${status} instead of ${allowed[0]}`);
  });
  faults.push(...(await aliveFaults(url)));
  return [judged({ row: 'API8', name: 'raw HTTP' }, `${cases.length} cases`, faults)];
}

/** Connections that never finish their head must not keep others waiting. */
export async function halfHeads({ url, key, short }: LocalProof): Promise<Check[]> {
  const sockets = Array.from({ length: short ? 50 : 300 }, () => openSocket(url));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets)
    socket.on('error', () => {}).write('GET /api/org HTTP/1.1\r\nHost: localhost\r\nX-Half: ');
  const answer = await send(url, { path: '/api/org', credential: key });
  for (const socket of sockets) socket.destroy();
  const faults = answer.status === 200 ? [] : [`GET /api/org meanwhile: ${answer.status} ${answer.text.slice(0, 100)}`];
  return [judged({ row: 'API4', name: 'half heads' }, `${sockets.length} open connections`, faults)];
}

export async function aliveFaults(url: string): Promise<string[]> {
  const { status, text } = await send(url, { path: '/healthz', credential: null });
  return status === 200 ? [] : [`/healthz afterwards: ${status} ${text.slice(0, 100)}`];
}

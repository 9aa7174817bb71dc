import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { streamReceiver } from '../../../src/service/audit-sink/receivers.js';

/** A program that reads nothing until it is sent a signal. */
const program = `process.once('SIGUSR2', () => process.stdin.resume()); process.stdout.write('ready'); setInterval(() => {}, 1000)`;

async function startReader() {
  const child = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

/** More than a pipe holds. */
const lines = `${'x'.repeat(1023)}\n`.repeat(2_048);

const never = new AbortController().signal;

test('a pipe that nobody reads is waited for, while the program goes on', async () => {
  const reader = await startReader();
  const receiver = streamReceiver(reader.stdin);
  let isTaken = false;
  const sending = receiver.send(lines, never).then(({ taken }) => {
    isTaken = taken;
  });
  // A write that waited for the reader would keep these from coming.
  for (let turn = 0; turn < 20; turn += 1) await setImmediate();
  expect(isTaken).toBe(false);
  reader.kill('SIGUSR2');
  await sending;
  expect(isTaken).toBe(true);
  await receiver.close();
});

test('a stop does not wait for a pipe that nobody reads', async () => {
  const receiver = streamReceiver((await startReader()).stdin);
  const stopping = new AbortController();
  const sending = receiver.send(lines, stopping.signal);
  stopping.abort(new Error('the service stops'));
  await expect(sending).rejects.toThrow('the service stops');
});

test('a pipe whose reader is gone is no end of the program: each attempt says so', async () => {
  const reader = await startReader();
  const receiver = streamReceiver(reader.stdin);
  reader.kill('SIGKILL');
  await once(reader, 'close');
  for (const _ of [1, 2]) {
    const sent = await receiver.send(lines, never);
    expect(sent).toMatchObject({
      taken: false,
      reason: expect.stringMatching(/^no connection \((EPIPE|ERR_STREAM_\w+|ECONNRESET)\)$/),
    });
  }
});

import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest';
import { FolderHeldError, lockFolder, readHolder, setUrl } from '../../../../src/service/db/embedded/folder-lock.js';
import { buildProgram } from '../../../support/build.js';
import { kind } from '../../../support/database.js';
import { startProgram } from '../../../support/program.js';

let taker: string;
let dataDir: string;
let file: string;

beforeAll(async () => {
  taker = await buildProgram('test/service/db/embedded/programs/lock-taker.ts');
});
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(inject('runFolder'), 'lock-'));
  file = path.join(dataDir, 'lock.json');
});

async function take(url?: string) {
  const program = startProgram(taker, dataDir, ...(url === undefined ? [] : [url]));
  await program.next();
  program.say('go');
  return { program, answer: await program.next() };
}

/** A lock as this process would write it, changed. */
async function leaveLock(changes: Record<string, unknown>): Promise<void> {
  const lock = lockFolder(dataDir);
  const record: unknown = JSON.parse(await readFile(file, 'utf8'));
  lock.release();
  await writeFile(file, JSON.stringify({ ...Object(record), ...changes }));
}

describe.runIf(kind === 'embedded')('a data folder', () => {
  test('has one process at a time, which may leave it to the next', () => {
    const lock = lockFolder(dataDir);
    expect(() => lockFolder(dataDir)).toThrow(FolderHeldError);
    expect(readHolder(dataDir)).toMatchObject({ pid: process.pid, url: null });
    lock.release();
    expect(readHolder(dataDir)).toBeNull();
    lockFolder(dataDir).release();
    expect(existsSync(file)).toBe(false);
  });

  test('shows who holds it and where that one serves', async () => {
    const { program, answer } = await take('http://127.0.0.1:4321');
    expect(answer).toBe('taken');
    const holder = { pid: program.pid, url: 'http://127.0.0.1:4321', started_at: expect.stringMatching(/^\d{4}-/) };
    expect(readHolder(dataDir)).toEqual(holder);
    expect(() => lockFolder(dataDir)).toThrow(
      new RegExp(`in use by process ${program.pid} since .*, serving http://127.0.0.1:4321\\. .*DATA_DIR`),
    );
  });

  test('is free after its holder was killed', async () => {
    const { program } = await take('http://127.0.0.1:4321');
    await program.end('SIGKILL');
    expect(existsSync(file)).toBe(true);
    expect(readHolder(dataDir)).toBeNull();
    lockFolder(dataDir).release();
  });

  test('is given back by a process that ends without closing it', async () => {
    const { program } = await take();
    await program.finish();
    expect(existsSync(file)).toBe(false);
  });

  test('that a killed process left goes to one of many that want it', async () => {
    for (let round = 0; round < 2; round += 1) {
      const { program } = await take();
      await program.end('SIGKILL');
      const rivals = Array.from({ length: 8 }, () => startProgram(taker, dataDir));
      for (const rival of rivals) await rival.next();
      for (const rival of rivals) rival.say('go');
      const answers = await Promise.all(rivals.map((rival) => rival.next()));
      const winner = rivals[answers.indexOf('taken')];
      expect(answers.filter((answer) => answer === 'taken')).toHaveLength(1);
      expect(answers.filter((answer) => /^held by \d+$/.test(answer))).toHaveLength(7);
      expect(readHolder(dataDir)?.pid).toBe(winner?.pid);
      for (const rival of rivals) await rival.end();
      expect(await readdir(dataDir)).toEqual(['lock.json']);
    }
  });

  test.runIf(existsSync('/proc/self/stat'))('is free when another process has the pid by now', async () => {
    await leaveLock({ process_started: '1' });
    expect(readHolder(dataDir)).toBeNull();
    lockFolder(dataDir).release();
  });

  test('held from another machine is free once nothing was heard of that one for a while', async () => {
    await leaveLock({ machine: 'elsewhere', pid: 1 });
    expect(() => lockFolder(dataDir)).toThrow(FolderHeldError);
    const past = new Date(Date.now() - 120_000);
    await utimes(file, past, past);
    lockFolder(dataDir).release();
  });

  test('is not taken over a file that is no lock', async () => {
    await writeFile(file, '{"pid": "me"}');
    const message = `${file} is not a lock of Postern's. Delete it`;
    expect(() => lockFolder(dataDir)).toThrow(message);
    expect(() => readHolder(dataDir)).toThrow(message);
  });

  test('takes a URL only from its holder', () => {
    expect(() => setUrl(dataDir, 'http://127.0.0.1:1')).toThrow('does not hold the data folder');
  });

  test('keeps its lock from being given back twice', () => {
    const first = lockFolder(dataDir);
    first.release();
    const second = lockFolder(dataDir);
    onTestFinished(() => second.release());
    first.release();
    expect(readHolder(dataDir)?.pid).toBe(process.pid);
  });
});

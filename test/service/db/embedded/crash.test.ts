import { randomInt } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../../../src/service/db/open.js';
import { buildProgram, databaseWorker } from '../../../support/build.js';
import { kind, newDataDir } from '../../../support/database.js';
import { startProgram } from '../../../support/program.js';

const rounds = 6;

describe.runIf(kind === 'embedded')('the embedded database', () => {
  let writer: string;
  beforeAll(async () => {
    writer = await buildProgram('test/service/db/embedded/programs/writer.ts');
  });

  test('keeps what it acknowledged through kill -9', { timeout: 600_000 }, async () => {
    const dataDir = await newDataDir();
    const acknowledged: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const program = startProgram(writer, dataDir, databaseWorker.href);
      const kept = (await program.next()).split(' ').slice(1).filter(Boolean).map(Number);
      const lost = acknowledged.filter((added) => !kept.includes(added));
      expect(lost, `round ${round}`).toEqual([]);
      // What was written and not acknowledged may be there too, and is the last.
      acknowledged.push(...kept.slice(acknowledged.length));
      let left = randomInt(1, 40);
      let killed: Promise<unknown> | undefined;
      for await (const line of program.lines) {
        acknowledged.push(Number(line.split(' ')[1]));
        left -= 1;
        // The writer goes on while the signal is on its way, so the kill comes at any point of a commit.
        if (left === 0) killed = program.end('SIGKILL');
      }
      await killed;
    }
    const database = await openDatabase({ dataDir });
    await database.close();
    expect(acknowledged.length).toBeGreaterThan(rounds);
    expect(acknowledged).toEqual(acknowledged.map((_, index) => index + 1));
  });

  test('is closed to a second process, which learns who has it', async () => {
    const dataDir = await newDataDir();
    const program = startProgram(writer, dataDir, databaseWorker.href);
    await program.next();
    const since = '\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z';
    const message = new RegExp(
      `^The data folder ${dataDir} is in use by process ${program.pid} since ${since}\\. Only one .+ stop that one`,
    );
    await expect(openDatabase({ dataDir })).rejects.toThrow(message);
    await program.end('SIGKILL');
    const database = await openDatabase({ dataDir });
    await database.close();
  });
});

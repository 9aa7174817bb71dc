import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import { startPostern } from '../support/postern-program.js';
import type { StartedProgram } from '../support/started-program.js';
import { createOwnDatabase } from './own-database.js';

/** Gateway and service in one process, with the sample data of a first start. */
export interface SampleServer extends StartedProgram {
  readonly key: string;
  /** Of the scope ReadWrite. */
  readonly writeKey: string;
  readonly projectId: string;
  readonly dataDir: string;
}

const firstRun = z.object({
  keys: z.object({ read_only: z.string(), read_write: z.string() }),
  project_id: z.string(),
});

/** Starts a built checkout on the embedded database, or on a new one beside that of the URL. */
export async function startSampleServer(checkout: string, databaseUrl: string | undefined): Promise<SampleServer> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'postern-bench-'));
  const database = databaseUrl === undefined ? null : await createOwnDatabase(databaseUrl);
  const program = await startPostern(checkout, dataDir, database === null ? {} : { DATABASE_URL: database.url });
  const { keys, project_id } = await readFirstRun(dataDir);
  return {
    ...program,
    key: keys.read_only,
    writeKey: keys.read_write,
    projectId: project_id,
    dataDir,
    async close() {
      await program.close();
      await database?.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The sample is made after the server has begun to answer; the file names the keys when it is complete. */
async function readFirstRun(dataDir: string): Promise<z.infer<typeof firstRun>> {
  for (let tries = 0; tries < 600; tries += 1) {
    const text = await readFile(path.join(dataDir, 'first-run.json'), 'utf8').catch(() => '{}');
    const read = firstRun.safeParse(JSON.parse(text));
    if (read.success) return read.data;
    await setTimeout(100);
  }
  throw new Error('the first run made no sample');
}

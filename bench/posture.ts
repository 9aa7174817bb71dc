/**
 * Posture at volume: fills organisations with the given numbers of findings (by default 1,000 and 100,000; on PostgreSQL
 * 1,000 and 1,000,000). Prints the times of parts, composites, lists, what a dashboard reads, and writes, with `!` if one misses its goal. Uses the
 * embedded database, or the one of DATABASE_URL, which should be empty or filled by this benchmark before: an organisation
 * of the same size is used again.
 *
 *   npm run bench posture -- [sizes] [--projects 40] [--only posture,lists,views,writes]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openDatabase } from '../src/service/db/open.js';
import { measurePosture, partGoals } from './support/composite-calls.js';
import { fillOrganisation } from './support/fill-organisation.js';
import { measureLists } from './support/list-calls.js';
import { measureViews } from './support/view-calls.js';
import { vacuum, volumeLocation } from './support/volume-database.js';
import { startServers } from './support/volume-servers.js';
import { measureWrites } from './support/write-calls.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    projects: { type: 'string', default: '40' },
    only: { type: 'string', default: 'posture,lists,views,writes' },
  },
});
const dataDir = await mkdtemp(path.join(tmpdir(), 'postern-bench-'));
const location = volumeLocation(dataDir);
const kind = 'databaseUrl' in location ? 'postgres' : 'embedded';
const sizes = positionals.length > 0 ? positionals.map(Number) : [1_000, kind === 'postgres' ? 1_000_000 : 100_000];
const selected = values.only.split(',');

const bytesBySize: ReadonlyMap<string, number>[] = [];

async function measureSize(findings: number): Promise<void> {
  console.log(`\n== ${findings} findings, ${kind} database`);
  const filling = await openDatabase(location);
  const options = { findings, projects: Number(values.projects), log: console.log };
  const organisation = await fillOrganisation(filling, options).finally(() => filling.close());
  await vacuum(location);
  const servers = await startServers(location, dataDir, organisation);
  try {
    const [largest] = organisation.projects;
    if (selected.includes('posture')) {
      bytesBySize.push(await measurePosture(servers, undefined, partGoals[kind]));
      await measurePosture(servers, largest?.id, partGoals[kind]);
    }
    if (selected.includes('lists')) await measureLists(servers, largest?.id ?? '');
    if (selected.includes('views')) await measureViews(servers, largest?.id ?? '');
    if (selected.includes('writes')) await measureWrites(servers, largest?.id ?? '');
  } finally {
    await servers.close();
  }
}

try {
  for (const size of sizes) await measureSize(size);
  const [first, last] = [bytesBySize[0], bytesBySize.at(-1)];
  for (const [name, bytes] of last ?? []) {
    const difference = (100 * Math.abs(bytes - (first?.get(name) ?? 0))) / Math.max(bytes, first?.get(name) ?? 0);
    console.log(
      `${name}: ${first?.get(name)} and ${bytes} bytes, ${difference.toFixed(1)} % apart${difference < 5 ? '' : ' !'}`,
    );
  }
} finally {
  await rm(dataDir, { recursive: true, force: true });
}

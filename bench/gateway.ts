/**
 * What a call costs at the gateway: processor time of the server's process a call, calls a second and time of a call at 8
 * connections, beside a bare proxy and beside peers from npm. All have the same upstream, and each runs in a process of its own;
 * they take turns in one run. Then the composites beside their parts. `--memory` measures memory over 100,000 calls instead.
 * `--checkout <folder>` takes Postern from the build of another checkout.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { measureComposites } from './gateway/composites.js';
import { measureMemory } from './gateway/memory.js';
import { buildPrograms, type Program, type Programs, startPrograms } from './gateway/programs.js';
import { type Subject, sizes, subjects } from './gateway/subjects.js';
import { printTable } from './gateway/table.js';
import { lastOf } from './gateway/upstream-rows.js';
import { type Cost, Load } from './support/load.js';
import { buildPostern } from './support/postern-program.js';

const connections = 8;
const [warmMs, measuredMs] = [1_000, 600];

const { values } = parseArgs({
  options: {
    memory: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    checkout: { type: 'string' },
  },
});

await buildPrograms();
const checkout = values.checkout ?? buildPostern();
const dataDir = await mkdtemp(path.join(tmpdir(), 'postern-bench-'));
const programs = await startPrograms(checkout, dataDir);
const loads = loadsOf(programs);
try {
  if (values.memory) await measureMemory(programs.servers.postern, loads.postern, connections);
  else {
    await measureSubjects(Number(values.rounds));
    await measureComposites(loads.postern);
  }
} finally {
  for (const load of Object.values(loads)) await load.close();
  await programs.close();
  await rm(dataDir, { recursive: true, force: true });
}

function loadsOf({ servers }: Programs): Record<Program, Load> {
  return {
    postern: new Load(servers.postern, connections),
    proxy: new Load(servers.proxy, connections),
    fastmcp: new Load(servers.fastmcp, connections),
    'sdk-1': new Load(servers['sdk-1'], connections),
    'sdk-2': new Load(servers['sdk-2'], connections),
    trpc: new Load(servers.trpc, connections),
  };
}

async function measureSubjects(rounds: number): Promise<void> {
  const rows = [...sizes, null].flatMap((size) =>
    subjects
      .filter(({ kind }) => (kind === 'tools') === (size === null))
      .map((subject: Subject) => {
        const load = loads[subject.program];
        return { subject, size, load, call: subject.call(size ?? 0), costs: Array.of<Cost>() };
      }),
  );
  for (const { subject, size, load, call } of rows) {
    const text = await load.check(call);
    // Of 100 whole rows an agent gets some 24.
    const shown = subject.name.startsWith('Postern tools/call') ? Math.min(size ?? 0, 20) : size;
    if (!text.includes(shown === null || size === null ? 'list_alerts' : lastOf(shown)))
      throw new Error(`${subject.name}: ${text}`);
    await load.run([call], { atOnce: connections, ms: warmMs });
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const { load, call, costs } of round % 2 === 0 ? rows : rows.toReversed()) {
      costs.push(await load.run([call], { atOnce: connections, ms: measuredMs }));
    }
  }
  printTable(rows);
}

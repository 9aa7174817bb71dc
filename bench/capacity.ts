/**
 * The capacity of gateway and service in one process, with the sample data of a first start: calls a second and processor time
 * at 8 connections, and the time of a call alone. No two questions of a round are the same. With `--against <folder>` the build of another checkout takes turns with this
 * one in the same run, and the ratios are printed: on a noisy machine only they can be compared. `--database-url` measures
 * with PostgreSQL; each server gets a database of its own, and processor time is then without that of PostgreSQL.
 */
import { parseArgs } from 'node:util';
import { startSampleServer } from './capacity/sample-server.js';
import { printTable, type Sample } from './capacity/table.js';
import { workloadsOf } from './capacity/workloads.js';
import { Load } from './support/load.js';
import { buildPostern } from './support/postern-program.js';

const connections = 8;
const [warmMs, busyMs, aloneMs] = [2_000, 1_500, 500];

const { values } = parseArgs({
  options: {
    against: { type: 'string' },
    'database-url': { type: 'string' },
    rounds: { type: 'string', default: '5' },
  },
});
const { against, 'database-url': databaseUrl } = values;
const checkouts = [buildPostern(), ...(against === undefined ? [] : [against])];

const servers = [];
try {
  for (const checkout of checkouts) {
    const server = await startSampleServer(checkout, databaseUrl);
    servers.push({
      close: server.close,
      load: new Load(server, connections),
      // A workload and what was measured of it, a sample a round.
      measured: workloadsOf(server).map((workload) => ({ workload, samples: Array.of<Sample>() })),
    });
  }
  for (const { load, measured } of servers) {
    for (const { workload } of measured) {
      for (const call of workload.calls) await load.check(call);
      await load.run(workload.calls, { atOnce: connections, ms: warmMs });
    }
  }
  const rows = servers[0]?.measured.length ?? 0;
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (let row = 0; row < rows; row += 1) {
      // Who begins changes from round to round.
      for (const { load, measured } of round % 2 === 0 ? servers : servers.toReversed()) {
        const { workload, samples } = measured[row] ?? {};
        if (workload === undefined || samples === undefined) continue;
        const busy = await load.run(workload.calls, { atOnce: connections, ms: busyMs });
        const alone = await load.run(workload.calls, { atOnce: 1, ms: aloneMs });
        samples.push({ busy, alone });
      }
    }
  }
  printTable(servers.map(({ measured }) => measured));
} finally {
  for (const { load, close } of servers) {
    await load.close();
    await close();
  }
}

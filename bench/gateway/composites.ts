import { posture } from '../../src/procedures/posture.js';
import { domains } from '../../src/procedures/risk.js';
import { latency } from '../support/latency.js';
import type { Call, Load } from '../support/load.js';
import { toolCall } from '../support/mcp-calls.js';
import { key, trpcQuery } from './subjects.js';

const ofEachDomain = (member: keyof typeof posture) =>
  domains.map((domain) => trpcQuery(`posture.${member}`, { domain }));

/** The composites, and what a caller without them would ask one after the other. */
const composites: ReadonlyArray<{ readonly tool: string; readonly parts: readonly Call[] }> = [
  {
    tool: posture.getSummary.tool,
    parts: [...ofEachDomain('getDomainSummary'), trpcQuery('posture.getVerdictCounts', {})],
  },
  { tool: posture.getTopRisks.tool, parts: ofEachDomain('getDomainRisks') },
  { tool: posture.getFindingsDiff.tool, parts: ofEachDomain('getDomainDiff') },
];

/** Prints time and processor time of each composite beside those of its parts together, called alone. */
export async function measureComposites(postern: Load): Promise<void> {
  console.log(`\n${'composite, one connection'.padEnd(34)}  p50 ms  cpu ms   its parts: ms  cpu ms     time      cpu`);
  for (const { tool, parts } of composites) {
    const composite = toolCall('2026-07-28', key, tool, {});
    for (const call of [composite, ...parts]) await postern.check(call);
    const cost = async (calls: readonly Call[]) => {
      await postern.run(calls, { atOnce: 1, ms: 500 });
      const { times, cpuSeconds } = await postern.run(calls, { atOnce: 1, ms: 2_000 });
      const all = calls.length;
      return { ms: latency(times).p50 * all, cpuMs: (cpuSeconds / times.length) * all * 1000 };
    };
    const [whole, sum] = [await cost([composite]), await cost(parts)];
    console.log(
      tool.padEnd(34),
      ...[whole.ms, whole.cpuMs].map((ms) => ms.toFixed(2).padStart(7)),
      sum.ms.toFixed(2).padStart(15),
      sum.cpuMs.toFixed(2).padStart(7),
      ...[whole.ms / sum.ms, whole.cpuMs / sum.cpuMs].map((ratio) => `${ratio.toFixed(2)}x`.padStart(8)),
    );
  }
}

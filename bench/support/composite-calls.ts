import * as z from 'zod';
import type { Procedure } from '../../src/procedures/define.js';
import { posture } from '../../src/procedures/posture.js';
import { domains } from '../../src/procedures/risk.js';
import { pathOf } from '../../src/shared/http/request-parts.js';
import { formatLatency, latency, latencyHeader, latencyOf, timed } from './latency.js';
import type { VolumeServers } from './volume-servers.js';

/** The request for a part of a composite. */
interface PartCall {
  readonly name: string;
  readonly path: string;
}

type Input = Readonly<Record<string, string | number>>;

function partsOf(part: Pick<Procedure, 'http'>, input: Input): PartCall[] {
  const path = pathOf(part);
  const query = new URLSearchParams(
    Object.entries(input).map(([key, value]): [string, string] => [key, String(value)]),
  );
  const named = path.includes('{domain}') ? domains.map((domain) => path.replace('{domain}', domain)) : [path];
  return named.map((each) => ({ name: each.replace('/api/posture/', ''), path: `${each}?${query}` }));
}

const { getFindingsDiff, getTopRisks, getSummary, getDomainDiff, getDomainRisks, getDomainSummary } = posture;
const composites = [
  { name: 'getFindingsDiff', tool: getFindingsDiff.tool, input: {}, parts: [getDomainDiff] },
  // The longest window.
  { name: 'getFindingsDiff', tool: getFindingsDiff.tool, input: { window_days: 90 }, parts: [getDomainDiff] },
  { name: 'getTopRisks', tool: getTopRisks.tool, input: {}, parts: [getDomainRisks] },
  { name: 'getSummary', tool: getSummary.tool, input: {}, parts: [getDomainSummary, posture.getVerdictCounts] },
];

/** Goal for each part in milliseconds, by kind of database. */
export const partGoals = { postgres: 15, embedded: 50 };

/** Goal for a composite, as a multiple of its slowest part. */
const ratioGoal = 1.5;

/**
 * Prints the times of parts and composites, for all projects or one. Returns the sizes of the composites' answers in bytes:
 * as they are, and with each number cut to one digit.
 */
export async function measurePosture(
  { service, gateway }: VolumeServers,
  projectId: string | undefined,
  goal: number,
): Promise<ReadonlyMap<string, number>> {
  const bytes = new Map<string, number>();
  console.log(`\n${projectId === undefined ? 'All projects' : 'The largest project'}`);
  console.log(`${'part'.padEnd(28)} ${latencyHeader}`);
  for (const composite of composites) {
    const input: Input = { ...composite.input, ...(projectId !== undefined && { project_id: projectId }) };
    const title = [composite.name, ...Object.values(composite.input)].join(' ');
    const calls = composite.parts.flatMap((part) => partsOf(part, input));
    let slowest = 0;
    for (const { name, path } of calls) {
      const part = await latencyOf(() => service({ path }));
      slowest = Math.max(slowest, part.p50);
      console.log(`${name.padEnd(28)} ${formatLatency(part, goal)}`);
    }
    const trpc = {
      path: `/trpc/posture.${composite.name}?input=${encodeURIComponent(JSON.stringify({ json: input }))}`,
    };
    const params = { name: composite.tool, arguments: input };
    const mcp = {
      path: '/mcp',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    };
    const times: Record<'trpc' | 'mcp' | 'together', number[]> = { trpc: [], mcp: [], together: [] };
    for (let round = -5; round < 50; round += 1) {
      // Alternating, so that other load on the machine affects all alike.
      const together = await Promise.all(calls.map(({ path }) => timed(() => service({ path }))));
      const [trpcMs, mcpMs] = [await timed(() => gateway(trpc)), await timed(() => gateway(mcp))];
      if (round < 0) continue;
      times.together.push(Math.max(...together));
      times.trpc.push(trpcMs);
      times.mcp.push(mcpMs);
    }
    const together = latency(times.together).p50;
    for (const transport of ['trpc', 'mcp'] as const) {
      const whole = latency(times[transport]);
      const over = (part: number) => (whole.p50 / part).toFixed(2);
      const missed = whole.p50 / together > ratioGoal ? ' !' : '';
      console.log(
        `= ${title} ${transport}`.padEnd(29) +
          `${formatLatency(whole)} ${over(slowest)} x the slowest part alone, ${over(together)} x the slowest of all at once ` +
          `(${together.toFixed(2)} ms)${missed}`,
      );
    }
    const answer = textOf(await gateway(mcp));
    bytes.set(title, answer.length);
    bytes.set(`${title}, its numbers as one digit`, answer.toString().replace(/\d+/g, '0').length);
    console.log(`  ${answer.length} bytes, ${Math.ceil(answer.length / 4)} tokens: ${answer.slice(0, 160)}…`);
  }
  return bytes;
}

const toolResult = z.object({
  result: z.object({ isError: z.boolean().optional(), content: z.array(z.object({ text: z.string() })) }),
});

/** The text that a tool call returns to a model, as bytes. The answer is JSON, or one event of a stream. */
function textOf(answer: string): Buffer {
  const json = answer.startsWith('{') ? answer : (/^data: (.*)$/m.exec(answer)?.[1] ?? answer);
  const { result } = toolResult.parse(JSON.parse(json));
  const text = result.content.map((part) => part.text).join('');
  if (result.isError === true) throw new Error(text);
  return Buffer.from(text);
}

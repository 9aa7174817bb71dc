import * as z from 'zod';
import type { Procedure } from '../../src/procedures/define.js';
import { posture } from '../../src/procedures/posture.js';
import { domains } from '../../src/procedures/risk.js';
import { pathOf } from '../../src/shared/http/request-parts.js';
import { latency, latencyHeads, latencyOf, timed, toldLatency } from './latency.js';
import type { VolumeServers } from './volume-servers.js';

/** A part of a composite, as the service is asked for it. */
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

/** Milliseconds of each part that are the goal, by kind of database. */
export const partGoals = { postgres: 15, embedded: 50 };

/** A composite may take so many times what its slowest part takes. */
const ratioGoal = 1.5;

/**
 * Prints what parts and composites take, for all projects or one; answers the bytes of the composites' answers, and what
 * they are where every number has one digit.
 */
export async function measurePosture(
  { service, gateway }: VolumeServers,
  projectId: string | undefined,
  goal: number,
): Promise<ReadonlyMap<string, number>> {
  const bytes = new Map<string, number>();
  console.log(`\n${projectId === undefined ? 'All projects' : 'The largest project'}`);
  console.log(`${'part'.padEnd(28)} ${latencyHeads}`);
  for (const composite of composites) {
    const input: Input = { ...composite.input, ...(projectId !== undefined && { project_id: projectId }) };
    const title = [composite.name, ...Object.values(composite.input)].join(' ');
    const calls = composite.parts.flatMap((part) => partsOf(part, input));
    let slowest = 0;
    for (const { name, path } of calls) {
      const part = await latencyOf(() => service({ path }));
      slowest = Math.max(slowest, part.p50);
      console.log(`${name.padEnd(28)} ${toldLatency(part, goal)}`);
    }
    const trpc = {
      path: `/trpc/posture.${composite.name}?input=${encodeURIComponent(JSON.stringify({ json: input }))}`,
    };
    const params = { name: composite.tool, arguments: input };
    const mcp = {
      path: '/mcp',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    };
    const times: Record<'trpc' | 'mcp' | 'atOnce', number[]> = { trpc: [], mcp: [], atOnce: [] };
    for (let round = -5; round < 50; round += 1) {
      // In turns, so that whatever else the machine does weighs on all alike.
      const atOnce = await Promise.all(calls.map(({ path }) => timed(() => service({ path }))));
      const [trpcMs, mcpMs] = [await timed(() => gateway(trpc)), await timed(() => gateway(mcp))];
      if (round < 0) continue;
      times.atOnce.push(Math.max(...atOnce));
      times.trpc.push(trpcMs);
      times.mcp.push(mcpMs);
    }
    const atOnce = latency(times.atOnce).p50;
    for (const face of ['trpc', 'mcp'] as const) {
      const whole = latency(times[face]);
      const over = (part: number) => (whole.p50 / part).toFixed(2);
      const missed = whole.p50 / atOnce > ratioGoal ? ' !' : '';
      console.log(
        `= ${title} ${face}`.padEnd(29) +
          `${toldLatency(whole)} ${over(slowest)} x the slowest part alone, ${over(atOnce)} x the slowest of all at once ` +
          `(${atOnce.toFixed(2)} ms)${missed}`,
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

/** What a tool call's answer tells a model, as bytes. Told as one event of a stream, or as it is. */
function textOf(answer: string): Buffer {
  const json = answer.startsWith('{') ? answer : (/^data: (.*)$/m.exec(answer)?.[1] ?? answer);
  const { result } = toolResult.parse(JSON.parse(json));
  const text = result.content.map((part) => part.text).join('');
  if (result.isError === true) throw new Error(text);
  return Buffer.from(text);
}

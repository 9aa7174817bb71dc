import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { libraries } from './libraries.ts';

/** What to do: connect with a library, list the tools, make the calls. Read from stdin; the answer goes to stdout. */
const order = z.object({
  library: z.enum(['@ai-sdk/mcp', '@openai/agents', '@langchain/mcp-adapters']),
  way: z.discriminatedUnion('transport', [
    z.object({ transport: z.literal('HTTP'), url: z.string(), headers: z.record(z.string(), z.string()) }),
    z.object({
      transport: z.literal('stdio'),
      command: z.string(),
      args: z.array(z.string()),
      env: z.record(z.string(), z.string()),
    }),
  ]),
  calls: z.array(z.object({ name: z.string(), input: z.record(z.string(), z.unknown()) })),
});

const { library, way, calls } = order.parse(JSON.parse(await text(process.stdin)));
const client = await libraries[library](way);
const tools = await client.toolNames();
const outcomes = [];
for (const { name, input } of calls) outcomes.push(await client.call(name, input));
await client.close();
process.stdout.write(JSON.stringify({ tools, outcomes }));

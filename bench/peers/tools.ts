import * as z from 'zod';
import type { AnyProcedure, Groups } from '../../src/procedures/define.ts';
import { procedures } from '../../src/procedures/index.ts';
import { fetchAlerts } from './upstream.ts';

/** A tool as one registers it by hand. */
export interface PeerTool {
  readonly name: string;
  readonly config: {
    readonly title: string;
    readonly description: string;
    readonly inputSchema: z.ZodObject;
    readonly outputSchema: z.ZodObject;
  };
}

/** Postern's tools. Their schemas are those of the wire: a peer has timestamps as text, as its JSON schemas cannot have dates. */
export const tools: readonly PeerTool[] = Object.values<Groups[string]>(procedures)
  .flatMap((group) => Object.values<AnyProcedure>(group))
  .flatMap(({ tool, title, description, input, output }) =>
    tool === undefined
      ? []
      : [{ name: tool, config: { title, description, inputSchema: wireForm(input), outputSchema: wireForm(output) } }],
  );

function wireForm(schema: z.ZodObject): z.ZodObject {
  const wire = z.fromJSONSchema(z.toJSONSchema(schema, { io: 'input' }));
  if (!(wire instanceof z.ZodObject)) throw new TypeError('a tool has objects as input and output');
  return wire;
}

const called = z.object({ project_id: z.string() });
const anyObject = z.record(z.string(), z.unknown());

/** What each tool does: the bench calls list_alerts alone. */
export async function callTool(input: unknown, authorization: string | undefined) {
  const answer = anyObject.parse(JSON.parse(await fetchAlerts(called.parse(input).project_id, authorization)));
  return { structuredContent: answer, content: [{ type: 'text' as const, text: JSON.stringify(answer) }] };
}

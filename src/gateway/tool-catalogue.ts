import type { Tool } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Access, AnyProcedure, Groups } from '../procedures/define.js';
import { compactInputSchema, compactOutputSchema } from './compact-schema.js';

export interface ToolEntry {
  /** `group.member`. */
  readonly path: string;
  readonly procedure: AnyProcedure;
}

/** The MCP tools, in the definitions' order. The same for every caller, so built once. */
export interface ToolCatalogue {
  readonly tools: Tool[];
  readonly byName: ReadonlyMap<string, ToolEntry>;
}

export function createToolCatalogue(groups: Groups): ToolCatalogue {
  const byName = new Map<string, ToolEntry>();
  for (const [group, members] of Object.entries(groups)) {
    for (const [member, procedure] of Object.entries(members)) {
      if (procedure.tool !== undefined) byName.set(procedure.tool, { path: `${group}.${member}`, procedure });
    }
  }
  return { byName, tools: [...byName].map(([name, { procedure }]) => toTool(name, procedure)) };
}

function toTool(name: string, { title, description, access, input, output }: AnyProcedure): Tool {
  return {
    name,
    title,
    description,
    inputSchema: toObjectSchema(compactInputSchema(toJson(input))),
    outputSchema: toObjectSchema(compactOutputSchema(toJson(output), access)),
    annotations: hints[access],
  };
}

/** `write` includes creating, which a repeat may do twice. Deleting twice has the effect of deleting once. */
const hints: Record<Access, NonNullable<Tool['annotations']>> = {
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  write: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  destructive: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
};

const objectSchema = z.looseObject({
  type: z.literal('object'),
  properties: z.record(z.string(), z.json()).optional(),
  required: z.array(z.string()).optional(),
});

/** A schema in wire form (`io: 'input'`): what JSON carries, before a codec decodes it. */
function toJson(schema: z.ZodObject): z.core.JSONSchema.JSONSchema {
  return z.toJSONSchema(schema, { io: 'input' });
}

/** A JSON schema as an object's schema, the only kind that a tool may have. */
function toObjectSchema(schema: z.core.JSONSchema.JSONSchema): Tool['inputSchema'] {
  const { type, properties, required, ...rest } = objectSchema.parse(schema);
  return { ...rest, type, ...(properties && { properties }), ...(required && { required }) };
}

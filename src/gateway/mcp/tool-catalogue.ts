import type { Tool } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { type AnyProcedure, type Groups, isComposite } from '../../procedures/define.js';
import { publishedInput } from './published-input.js';
import { publishedOutput } from './published-output.js';
import { toolInput, toolOutput } from './tool-form.js';

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

/** @param isListed which procedures with a tool are in it: by default those of the specification */
export function createToolCatalogue(
  groups: Groups,
  isListed: (procedure: AnyProcedure) => boolean = (procedure) => !isBeyond(procedure),
): ToolCatalogue {
  const byName = new Map<string, ToolEntry>();
  for (const [group, members] of Object.entries(groups)) {
    for (const [member, procedure] of Object.entries(members)) {
      if (procedure.tool !== undefined && isListed(procedure))
        byName.set(procedure.tool, { path: `${group}.${member}`, procedure });
    }
  }
  return { byName, tools: [...byName].map(([name, { procedure }]) => toTool(name, procedure)) };
}

/** Whether a tool goes beyond the specification's list. */
export function isBeyond(procedure: AnyProcedure): boolean {
  return !isComposite(procedure) && procedure.beyond === true;
}

function toTool(name: string, procedure: AnyProcedure): Tool {
  const { title, description, access } = procedure;
  return {
    name,
    title,
    description,
    inputSchema: toObjectSchema(publishedInput(toJson(toolInput(procedure)))),
    outputSchema: toObjectSchema(publishedOutput(toJson(toolOutput(procedure)), access)),
    annotations: hintsOf(procedure),
  };
}

/** Deleting twice has the effect of deleting once; creating twice has not. */
function hintsOf(procedure: AnyProcedure): NonNullable<Tool['annotations']> {
  const { access } = procedure;
  const { idempotent = false, openWorld = false } = isComposite(procedure) ? {} : procedure;
  return {
    readOnlyHint: access === 'read',
    destructiveHint: access === 'destructive',
    idempotentHint: access !== 'write' || idempotent,
    openWorldHint: openWorld,
  };
}

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

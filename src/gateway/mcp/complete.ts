import type { CompleteResult } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Call } from './resources.js';
import type { ToolCatalogue } from './tool-catalogue.js';

/** What the protocol allows in one answer. */
const maxValues = 100;

const projects = z.object({ items: z.array(z.object({ name: z.string() })), total: z.int() });

/** Completes the argument `project` of prompts and resources by names of the caller's projects. Nothing else has known values. */
export async function complete(
  { byName }: ToolCatalogue,
  { name, value }: { readonly name: string; readonly value: string },
  call: Call,
): Promise<CompleteResult['completion']> {
  const entry = name === 'project' ? byName.get('list_projects') : undefined;
  const outcome = entry && (await call(entry, { page_size: maxValues }));
  if (outcome === undefined || !('json' in outcome)) return { values: [] };
  const { items, total } = projects.parse(outcome.answer);
  const typed = value.toLowerCase();
  const values = items.map((each) => each.name).filter((each) => each.toLowerCase().startsWith(typed));
  return { values, hasMore: total > items.length };
}

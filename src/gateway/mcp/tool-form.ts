import * as z from 'zod';
import { type AnyProcedure, isComposite } from '../../procedures/define.js';
import { whole } from '../../procedures/wire.js';
import { isRecord } from '../../shared/json/is-record.js';
import { unwrap } from '../../shared/schema/unwrap.js';
import { type TextsOf, textsOf } from '../untrusted/mark-texts.js';

/** What is the same for all answers of a tool. */
export interface ToolForm {
  /** The fields of a row that a summary keeps; null: it has none. */
  readonly kept: KeptFields | null;
  /** The texts of its answers that outsiders write. */
  readonly texts: TextsOf | null;
  /** Arguments that narrow a list. */
  readonly filters: readonly string[];
  /** Whether it answers a page of a list. */
  readonly isPaged: boolean;
  /** The field of a document, which is whole or null. */
  readonly document: string | undefined;
  /** Fields that are not cut. */
  readonly whole: readonly string[];
}

/** Paging, order, and what names one thing. */
const notFilters: ReadonlySet<string> = new Set([
  ...['page', 'page_size', 'cursor', 'cursors', 'sort', 'finding_id', 'changed_since'],
]);

const forms = new WeakMap<AnyProcedure, ToolForm>();

export function formOf(procedure: AnyProcedure): ToolForm {
  const form = forms.get(procedure) ?? makeForm(procedure);
  forms.set(procedure, form);
  return form;
}

function makeForm(procedure: AnyProcedure): ToolForm {
  const kept = keptFields(procedure);
  const filters = Object.keys(procedure.input.shape).filter((name) => !notFilters.has(name));
  const document = isComposite(procedure) ? undefined : procedure.document;
  const isPaged = 'cursors' in procedure.input.shape;
  const uncut = Object.entries(procedure.output.shape).filter(([, schema]) => isWhole(unwrap(schema)));
  const texts = textsOf(toolOutput(procedure));
  return { kept, texts, filters, isPaged, document, whole: uncut.map(([name]) => name) };
}

function isWhole(schema: unknown): boolean {
  return schema instanceof z.ZodType && whole.has(schema);
}

// Tools show a list's rows in short or in full. The other doors, which serve programs, have no such choice.

/** How much of each row a tool shows: by default the summary. */
export const listView = z.enum(['summary', 'full']);
export type ListView = z.output<typeof listView>;

/** The kept fields of an object, by name; null: all of the field. */
export type KeptFields = ReadonlyMap<string, KeptFields | null>;

/** The fields of a row that a summary keeps; null: the tool has no summary. */
export function keptFields(procedure: AnyProcedure): KeptFields | null {
  const { summary } = isComposite(procedure) ? {} : procedure;
  return summary === undefined ? null : keptAt(summary.map((path) => path.split('.')));
}

function keptAt(paths: readonly (readonly string[])[]): KeptFields {
  const kept = new Map<string, KeptFields | null>();
  for (const [name = ''] of paths) {
    const inside = paths.flatMap(([first, ...rest]) => (first === name && rest.length > 0 ? [rest] : []));
    kept.set(name, inside.length === 0 ? null : keptAt(inside));
  }
  return kept;
}

/** The fields that are kept, in the order of the definition. */
export function keepFields(row: unknown, fields: KeptFields): unknown {
  if (!isRecord(row)) return row;
  const kept: Record<string, unknown> = {};
  for (const [name, inside] of fields) {
    const value = row[name];
    if (value !== undefined) kept[name] = inside === null ? value : keepFields(value, inside);
  }
  return kept;
}

/** The input of a tool: the procedure's, and `view` where its rows have a summary. */
export function toolInput(procedure: AnyProcedure): z.ZodObject {
  const { input } = procedure;
  return keptFields(procedure) === null ? input : input.safeExtend({ view: listView.optional() });
}

/** Tools add this to an answer: the fields that outsiders wrote, and how to go on. */
const added = ['untrusted', 'more'];

/**
 * What a tool answers: the procedure's output, where the fields that a summary leaves out are optional. Throws where a field of the
 * output has a name that tools add.
 */
export function toolOutput(procedure: AnyProcedure): z.ZodObject {
  const { output, tool } = procedure;
  const twice = added.filter((name) => name in output.shape);
  if (twice.length > 0) throw new Error(`${tool} has a field that tools add: ${twice.join(', ')}`);
  const fields = keptFields(procedure);
  if (fields === null) return output;
  const items = output.shape['items'];
  if (!(items instanceof z.ZodArray)) throw new Error(`${tool} has a summary and no rows`);
  return output.extend({ items: z.array(partOf(items.element, fields)) });
}

/** The schema of an object or of a part of it. Throws for a kept field that it does not have. */
function partOf(schema: unknown, fields: KeptFields): z.ZodType {
  if (schema instanceof z.ZodNullable) return partOf(schema.unwrap(), fields).nullable();
  if (schema instanceof z.ZodOptional) return partOf(schema.unwrap(), fields).optional();
  if (!(schema instanceof z.ZodObject)) throw new Error('a summary keeps fields of what is no object');
  const { shape } = schema;
  const unknown = [...fields.keys()].filter((name) => !(name in shape));
  if (unknown.length > 0) throw new Error(`a summary keeps unknown fields: ${unknown.join(', ')}`);
  return z.object(
    Object.fromEntries(
      Object.entries(shape).map(([name, field]: [string, z.ZodType]) => {
        const inside = fields.get(name);
        if (inside === undefined) return [name, field.optional()];
        return [name, inside === null ? field : partOf(field, inside)];
      }),
    ),
  );
}

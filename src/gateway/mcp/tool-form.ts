import * as z from 'zod';
import { type AnyProcedure, isComposite } from '../../procedures/define.js';
import { whole } from '../../procedures/wire.js';
import { unwrap } from '../../shared/schema/unwrap.js';
import { type TextsOf, textsOf } from '../untrusted/mark-texts.js';
import { type KeptFields, keptFields, toolOutput } from './list-view.js';

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

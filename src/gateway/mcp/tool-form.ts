import { type AnyProcedure, isComposite } from '../../procedures/define.js';
import { type KeptFields, keptFields, toolOutput } from '../answers/list-view.js';
import { type TextsOf, textsOf } from '../answers/mark-texts.js';

/** What is the same for all answers of a tool. */
export interface ToolForm {
  /** The fields of a row that a summary keeps; null: it has none. */
  readonly kept: KeptFields | null;
  /** What outsiders write in its answers. */
  readonly texts: TextsOf | null;
  /** Arguments that narrow a list. */
  readonly filters: readonly string[];
  /** The field of a document, which is whole or null. */
  readonly document: string | undefined;
}

/** Paging, order, and what names one thing. */
const notFilters: ReadonlySet<string> = new Set(['page', 'page_size', 'sort', 'finding_id']);

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
  return { kept, texts: textsOf(toolOutput(procedure)), filters, document };
}

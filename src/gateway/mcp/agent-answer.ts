import * as z from 'zod';
import { type AnyProcedure, isComposite } from '../../procedures/define.js';
import { isRecord } from '../../shared/json/is-record.js';
import { maxTokens } from '../../shared/text/max-tokens.js';
import { bound, fitAnswer, isPage, mayHaveLongText } from '../untrusted/fit-answer.js';
import { markTexts } from '../untrusted/mark-texts.js';
import { type CleanAnswer, cleanAnswer } from '../untrusted/untrusted-text.js';
import { formOf, type KeptFields, keepFields, type ListView, type ToolForm } from './tool-form.js';

type Answer = Record<string, unknown>;

/** What the agent asked: its arguments but `view`, and the view. */
export interface AgentQuestion {
  readonly input: unknown;
  readonly view: ListView;
}

/**
 * Estimated tokens of an answer at most: usually, and where the agent asked for more rows, or for more of each. They are a twentieth
 * less than 6,000 and 20,000, because letters at random may have as much more than estimated.
 */
const maxAnswerTokens = { usual: 5_700, asked: 19_000 };

/** What notes and the names of outsiders' fields may take of them. */
const noteTokens = 350;

/** Bytes of each text: in the rows of a list, and of one thing or a row in full. */
const textBytes = { row: 300, full: 2_000 };

/** Lists and keys are only cut for the size of the whole. */
const anyNumber = Number.MAX_SAFE_INTEGER;

/**
 * An answer as an agent gets it, with its JSON text: rows in the view that was asked for, no hidden text, each text and the whole
 * within bounds, the fields named that outsiders wrote, what is outside its grammar in quotes, and how to go on where there is more.
 * Null where no cutting makes it fit.
 */
export function agentAnswer(
  procedure: AnyProcedure,
  asked: AgentQuestion,
  { cursors: given, ...wire }: Answer,
): CleanAnswer | null {
  const form = formOf(procedure);
  const cursors = cursorsOfRows.safeParse(given).data;
  const shown = form.kept !== null && asked.view === 'summary' ? summaryOf(wire, form.kept) : wire;
  // A composite's texts are clean: it was made of cleaned parts.
  const clean = isComposite(procedure) ? { value: shown, json: JSON.stringify(shown) } : cleanAnswer(shown);
  const most = asksForMore(form, asked) ? maxAnswerTokens.asked : maxAnswerTokens.usual;
  const { signed, rest, tokens } = apart(clean, form.whole);
  const marked = markTexts(rest, form.texts);
  const cut = within({ ...marked, cursors }, form, asked.view, most - noteTokens - tokens);
  const { isCut, lacksDocument } = cut;
  const { value, json } = withFields(cut, null, signed);
  const more = notesOn({ answer: value, form, ...asked, isCut, lacksDocument });
  const { untrusted } = marked;
  const before = untrusted.length > 0 ? { untrusted } : null;
  const noted = withFields({ value, json }, before, more === '' ? null : { more });
  return fits(noted.json, most) ? noted : null;
}

/** The fields that stay whole, where there are any, apart from what may be cut, and their tokens. */
function apart(clean: CleanAnswer, names: readonly string[]) {
  const entries = Object.entries(clean.value).filter(([name, each]) => names.includes(name) && each !== null);
  if (entries.length === 0) return { signed: null, rest: clean, tokens: 0 };
  const signed = Object.fromEntries(entries);
  const value = Object.fromEntries(Object.entries(clean.value).filter(([name]) => !Object.hasOwn(signed, name)));
  return { signed, rest: { value, json: JSON.stringify(value) }, tokens: maxTokens(JSON.stringify(signed)) };
}

function summaryOf(wire: Answer, kept: KeptFields): Answer {
  const { items } = wire;
  return Array.isArray(items) ? { ...wire, items: items.map((row) => keepFields(row, kept)) } : wire;
}

/** Whether a call is no default call: it asks for a size of page, rows in full, or a document. */
function asksForMore({ document }: ToolForm, { input, view }: AgentQuestion): boolean {
  if (!isRecord(input)) return false;
  const given = (name: string) => input[name] !== undefined && input[name] !== null;
  return (
    given('page_size') ||
    (view === 'full' && given('view')) ||
    (document !== undefined && (given(`include_${document}`) || given('cursor')))
  );
}

const cursorsOfRows = z.array(z.string()).optional();

/** A clean answer, and of a page the cursor after each row. */
interface Fitting extends CleanAnswer {
  readonly cursors: readonly string[] | undefined;
}

interface Within extends CleanAnswer {
  readonly isCut: boolean;
  readonly lacksDocument: boolean;
}

/** A clean answer with each text, and the whole, within bounds. A document stays as it is or goes, because half of it is of no use. */
function within(clean: Fitting, form: ToolForm, view: ListView, tokens: number): Within {
  const { document } = form;
  if (document !== undefined && clean.value[document] !== null) {
    if (fits(clean.json, tokens)) return { ...clean, isCut: false, lacksDocument: false };
    const value = { ...clean.value, [document]: null };
    return { ...within({ ...clean, value, json: JSON.stringify(value) }, form, view, tokens), lacksDocument: true };
  }
  const isShort = isPage(clean.value) && (form.kept === null || view === 'summary');
  const bounded = withShortTexts(clean, isShort ? textBytes.row : textBytes.full);
  if (fits(bounded.json, tokens)) return { ...bounded, lacksDocument: false };
  const { value, isCut } = fitAnswer(bounded.value, tokens, clean.cursors);
  return { value, json: JSON.stringify(value), isCut: isCut || bounded.isCut, lacksDocument: false };
}

/** An answer is walked only where its JSON text shows that a text may be too long. */
function withShortTexts(clean: CleanAnswer, bytes: number): CleanAnswer & { readonly isCut: boolean } {
  const isAscii = Buffer.byteLength(clean.json) === clean.json.length;
  // A character of UTF-16 has three bytes at most.
  if (!mayHaveLongText(clean.json, isAscii ? bytes : Math.floor(bytes / 3))) return { ...clean, isCut: false };
  const { value, isCut } = bound(clean.value, { text: bytes, list: anyNumber, keys: anyNumber });
  return isCut ? { value, json: JSON.stringify(value), isCut } : { ...clean, isCut };
}

/** Whether a text has so many tokens at most. It never has more than bytes, and never so few that a fortieth of its characters is more. */
function fits(json: string, tokens: number): boolean {
  if (json.length * 3 <= tokens || Buffer.byteLength(json) <= tokens) return true;
  return json.length <= tokens * 40 && maxTokens(json) <= tokens;
}

/** Fields before and after the answer's own, in its JSON text too. */
function withFields({ value, json }: CleanAnswer, before: Answer | null, after: Answer | null): CleanAnswer {
  if (before === null && after === null) return { value, json };
  const parts = [before && inner(before), inner(json), after && inner(after)].filter(
    (part) => part !== null && part !== '',
  );
  return { value: { ...before, ...value, ...after }, json: `{${parts.join(',')}}` };
}

/** The JSON text of an object without its braces. */
function inner(object: object | string): string {
  return (typeof object === 'string' ? object : JSON.stringify(object)).slice(1, -1);
}

interface Noted {
  readonly answer: Readonly<Record<string, unknown>>;
  readonly form: ToolForm;
  readonly input: unknown;
  readonly view: ListView;
  /** Whether a text or an inner list was cut. */
  readonly isCut: boolean;
  /** Whether a document was left out for its size. */
  readonly lacksDocument: boolean;
}

/** How to go on, in words: the rows that follow and what narrows them, and where the rest of what was cut is. Empty: this is all. */
function notesOn(noted: Noted): string {
  return [rowsLeft(noted), whereCut(noted), noted.lacksDocument ? documentElsewhere : null]
    .filter((note) => note !== null)
    .join('; ');
}

const documentElsewhere =
  'the document is too large for one answer: its parts come with cursor, the first with next_cursor';

function rowsLeft({ answer, form, input }: Noted): string | null {
  if (!isPage(answer) || !answer.has_more) return null;
  const { items, page, page_size, total, next_cursor } = answer;
  const left = Math.max(total - (page - 1) * page_size - items.length, 1);
  const isCounted = argumentOf(input, 'cursor') === null;
  const next =
    typeof next_cursor === 'string'
      ? ': pass next_cursor as cursor, and the same filters'
      : `: ask again with page_size ${items.length}`;
  const unused = form.filters.filter((name) => argumentOf(input, name) === null);
  const narrow = unused.length === 0 ? '' : `; narrow by ${unused.join(', ')}`;
  return `${isCounted ? `${left} ` : ''}more${next}${narrow}`;
}

function whereCut({ form: { kept }, view, isCut }: Noted): string | null {
  if (!isCut) return null;
  return `texts and lists were cut: ${kept !== null && view === 'summary' ? 'view full' : 'the dashboard'} shows more`;
}

/** An argument; null where it is absent, as for clients that send every one. */
function argumentOf(input: unknown, name: string): unknown {
  return isRecord(input) ? (input[name] ?? null) : null;
}

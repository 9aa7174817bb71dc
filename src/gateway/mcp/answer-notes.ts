import { isRecord } from '../../shared/json/is-record.js';
import { isPage } from '../untrusted/fit-answer.js';
import type { ListView } from './list-view.js';
import type { ToolForm } from './tool-form.js';

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
export function notesOn(noted: Noted): string {
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

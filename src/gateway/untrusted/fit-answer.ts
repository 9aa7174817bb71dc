import { isRecord } from '../../shared/json/is-record.js';
import { cutLong, jsonBytes } from '../../shared/text/cut.js';
import { maxTokens } from '../../shared/text/max-tokens.js';
import { cleanString } from './untrusted-text.js';

type Answer = Readonly<Record<string, unknown>>;

interface Fitted {
  readonly value: Answer;
  /** Whether something of it was cut, besides the rows that come after the cursor. */
  readonly isCut: boolean;
}

/** A page of a list, as every list answers it. */
interface Page extends Answer {
  readonly items: readonly unknown[];
  readonly page: number;
  readonly page_size: number;
  readonly total: number;
  readonly has_more: boolean;
}

export function isPage(answer: Answer): answer is Page {
  const { items, page, page_size, total, has_more } = answer;
  return (
    Array.isArray(items) &&
    [page, page_size, total].every((each) => typeof each === 'number') &&
    typeof has_more === 'boolean'
  );
}

/** Ever tighter, for what is still too large. Texts go first: a list without its end says less of what there is. */
const tighter: readonly Bounds[] = [
  { text: 1_000, list: 100, keys: 40 },
  { text: 500, list: 50, keys: 40 },
  { text: 300, list: 30, keys: 40 },
  { text: 200, list: 20, keys: 40 },
  { text: 120, list: 10, keys: 40 },
  { text: 80, list: 5, keys: 32 },
  { text: 50, list: 3, keys: 32 },
  { text: 30, list: 2, keys: 32 },
  { text: 12, list: 1, keys: 32 },
];

/** The rows that share a page's room: a row may take a tenth of it before it is cut. */
const rowsOfPage = 10;

/**
 * An answer in so many tokens, if cutting can do that. A page ends early, and goes on by the cursor after its last row; a row is cut
 * only where it takes more than its share.
 *
 * @param cursors after each row of a page; undefined where the service gives none
 */
export function fitAnswer(answer: Answer, tokens: number, cursors: readonly string[] | undefined): Fitted {
  return isPage(answer) ? fitPage(answer, tokens, cursors) : tighten(answer, tokens);
}

function fitPage({ items, ...page }: Page, tokens: number, cursors: readonly string[] | undefined): Fitted {
  const around = tighten(page, tokens / 2);
  const left = tokens - tokensOf(around.value);
  const share = left / Math.min(items.length, rowsOfPage);
  let { isCut } = around;
  let used = 0;
  const kept: unknown[] = [];
  for (const item of items) {
    const row = tighten({ item }, share);
    used += tokensOf(row.value['item']) + 1;
    if (used > left && kept.length > 0) break;
    isCut ||= row.isCut;
    kept.push(row.value['item']);
  }
  if (kept.length === items.length) return { value: { items: kept, ...around.value }, isCut };
  const next_cursor = cursors?.[kept.length - 1] ?? null;
  return { value: { items: kept, ...around.value, has_more: true, next_cursor }, isCut };
}

/** The least cut form that fits, or the most cut one. */
function tighten(answer: Answer, tokens: number): Fitted {
  if (tokensOf(answer) <= tokens) return { value: answer, isCut: false };
  let fitted: Fitted = { value: answer, isCut: false };
  for (const bounds of tighter) {
    const { value, isCut } = bound(answer, bounds);
    fitted = { value, isCut };
    if (tokensOf(value) <= tokens) break;
  }
  return fitted;
}

function tokensOf(value: unknown): number {
  return maxTokens(JSON.stringify(value));
}

/** The bounds of an answer that an agent can take. */
export interface Bounds {
  /** Bytes of each text as JSON, before the words that say what is missing. */
  readonly text: number;
  /** Elements of each list. */
  readonly list: number;
  /** Keys of each object. More than any schema names. */
  readonly keys: number;
}

/** An answer within bounds, and whether anything of it was cut. The answer itself where nothing was. */
export interface Bounded {
  readonly value: Readonly<Record<string, unknown>>;
  readonly isCut: boolean;
}

/** Cuts texts and lists of an answer whose texts are clean. A cut text says how much of it is missing. */
export function bound(answer: Readonly<Record<string, unknown>>, bounds: Bounds): Bounded {
  let isCut = false;

  function boundValue(given: unknown): unknown {
    if (typeof given === 'string') return boundString(given);
    if (Array.isArray(given)) return boundList(given);
    return isRecord(given) ? boundObject(given) : given;
  }

  function boundString(text: string): string {
    const kept = shorten(text, bounds.text);
    isCut ||= kept !== text;
    return kept;
  }

  function boundList(values: readonly unknown[]): readonly unknown[] {
    isCut ||= values.length > bounds.list;
    const kept = values.slice(0, bounds.list).map(boundValue);
    return kept.length === values.length && kept.every((each, at) => each === values[at]) ? values : kept;
  }

  function boundObject(given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    const entries = Object.entries(given);
    isCut ||= entries.length > bounds.keys;
    const kept = entries
      .slice(0, bounds.keys)
      .map(([key, each]): [string, unknown] => [boundString(key), boundValue(each)]);
    const isSame = kept.length === entries.length && kept.every(([key, each]) => given[key] === each);
    return isSame ? given : Object.fromEntries(kept);
  }

  return { value: boundObject(answer), isCut };
}

/** Bytes of `…`, the shortest text that a cut leaves. */
const minBytes = 3;

/** Ids, enums, versions and timestamps: half of one is of no use, and misleads. */
const token = /^[\w:.+-]{1,64}$/;

/**
 * A clean text in at most `bytes` of JSON, and how many characters more it has. A cut can bare what hides text, as within a
 * tag. Then less of the text is kept, until nothing is hidden.
 */
export function shorten(text: string, bytes: number): string {
  if (text.length * 6 <= bytes || token.test(text) || (text.length <= bytes && jsonBytes(text) - 2 <= bytes))
    return text;
  for (let room = bytes; ; room = Math.max(minBytes, Math.floor(room * 0.9) - 1)) {
    const kept = cutLong(text, room);
    const marked = `${kept} [${text.length - kept.length + 1} more characters]`;
    if (room === minBytes || cleanString(marked) === marked) return marked;
  }
}

/**
 * Whether a text in what `JSON.stringify` wrote may have more than `length` characters there: whether there are so many
 * without a quote. It looks at one place in `length`, and never misses such a text.
 */
export function mayHaveLongText(json: string, length: number): boolean {
  let from = 0;
  while (from + length < json.length) {
    const quote = lastQuote(json, from + length);
    if (quote <= from) return true;
    from = quote;
  }
  return false;
}

/** The last quote at or before a place that begins or ends a text; -1 where there is none. */
function lastQuote(json: string, before: number): number {
  let at = json.lastIndexOf('"', before);
  while (at > 0 && isEscaped(json, at)) at = json.lastIndexOf('"', at - 1);
  return at;
}

function isEscaped(json: string, at: number): boolean {
  let backslashes = 0;
  while (json[at - 1 - backslashes] === '\\') backslashes++;
  return backslashes % 2 === 1;
}

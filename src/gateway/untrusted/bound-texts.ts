import { isRecord } from '../../shared/json/is-record.js';
import { jsonBytes } from '../../shared/text/cut.js';
import { cutLong } from '../../shared/text/cut-long.js';
import { cleanString } from './untrusted-text.js';

/** What an answer may hold, so that an agent can take it. */
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

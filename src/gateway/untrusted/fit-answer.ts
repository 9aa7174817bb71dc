import { maxTokens } from '../../shared/text/max-tokens.js';
import { type Bounds, bound } from './bound-texts.js';

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

import { yieldToEventLoop } from '../../shared/async/yield-to-event-loop.js';
import { ApiError } from './api-error.js';

/** Whether PostgreSQL can store a text: it accepts neither NUL nor an unpaired surrogate. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && !/\p{Surrogate}/u.test(text);
}

/** Whether a JSON text contains an escaped NUL or unpaired surrogate. */
export function hasUnstorableEscape(json: string): boolean {
  for (const at of unstorableEscapes(json)) if (at !== null) return true;
  return false;
}

/** A JSON text in which U+FFFD replaces each escaped NUL and unpaired surrogate. Lets other requests run meanwhile. */
export async function replaceUnstorableEscapes(json: string): Promise<string> {
  const yieldNow = yieldToEventLoop();
  const parts: string[] = [];
  let kept = 0;
  for (const at of unstorableEscapes(json)) {
    await yieldNow();
    if (at === null) continue;
    parts.push(json.slice(kept, at), '\\ufffd');
    kept = at + 6;
  }
  return kept === 0 ? json : parts.join('') + json.slice(kept);
}

/** Escapes after which a search pauses. */
const pauseAfter = 10_000;

/** Where the escaped NULs and unpaired surrogates of a JSON text are; null now and then, so that its reader may pause. */
function* unstorableEscapes(json: string): Generator<number | null> {
  let steps = 0;
  for (let at = json.indexOf('\\'); at >= 0; at = json.indexOf('\\', at)) {
    const unit = escapedUnit(json, at);
    if (unit === 0 || isLow(unit)) yield at;
    else if (unit >= 0xd800 && unit < 0xdc00) {
      if (isLow(escapedUnit(json, at + 6))) at += 6;
      else yield at;
    }
    at += Number.isNaN(unit) ? 2 : 6;
    steps += 1;
    if (steps % pauseAfter === 0) yield null;
  }
}

/** The code unit of a `\uXXXX` at this place; NaN where there is none. */
function escapedUnit(json: string, at: number): number {
  return json[at] === '\\' && json[at + 1] === 'u' ? Number.parseInt(json.slice(at + 2, at + 6), 16) : Number.NaN;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

export function unstorableText(field: string): ApiError {
  return new ApiError('invalid_input', {
    errors: [{ field, message: 'must not contain NUL or unpaired surrogate characters' }],
  });
}

/** Rejects names and values in the query string that the database cannot store. */
export function rejectUnstorableQuery(query: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(query)) {
    if (![name, value].flat().every((text) => typeof text !== 'string' || isStorableText(text))) {
      throw unstorableText(isStorableText(name) ? name : '');
    }
  }
}

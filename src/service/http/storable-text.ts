import { ApiError } from './api-error.js';

/** Whether PostgreSQL can store a text: it accepts neither NUL nor an unpaired surrogate. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && !/\p{Surrogate}/u.test(text);
}

/** Whether a JSON text contains an escaped NUL or unpaired surrogate. */
export function hasUnstorableEscape(json: string): boolean {
  for (let at = json.indexOf('\\'); at >= 0; at = json.indexOf('\\', at)) {
    const unit = escapedUnit(json, at);
    if (unit === 0 || isLow(unit)) return true;
    if (unit >= 0xd800 && unit < 0xdc00) {
      if (!isLow(escapedUnit(json, at + 6))) return true;
      at += 6;
    }
    at += Number.isNaN(unit) ? 2 : 6;
  }
  return false;
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

import { Refusal } from './refusal.js';

/** PostgreSQL's text holds neither NUL nor half a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && !/\p{Surrogate}/u.test(text);
}

export function notStorable(field: string): Refusal {
  return new Refusal('invalid_input', {
    errors: [{ field, message: 'must not contain NUL or unpaired surrogate characters' }],
  });
}

/** Refuses query values that the database could not take. */
export function requireStorable(query: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(query)) {
    if (![name, value].flat().every((text) => typeof text !== 'string' || isStorable(text))) {
      throw notStorable(isStorable(name) ? name : '');
    }
  }
}

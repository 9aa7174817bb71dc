import { isRecord } from '../../../shared/json/is-record.js';

/** A field of a value of unknown shape. Inherited properties do not count, so `__proto__` is a name like any other. */
export function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

export function entriesOf(value: unknown): [string, unknown][] {
  return isRecord(value) ? Object.entries(value) : [];
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** The strings of a list, or a single string. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** Limit of nested lists and objects. */
const maxDepth = 30;

/** All strings of a value at any depth, names of fields included. */
export function* allStrings(value: unknown, depth = 0): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (depth > maxDepth) return;
  else if (Array.isArray(value)) for (const one of value) yield* allStrings(one, depth + 1);
  else {
    for (const [name, one] of entriesOf(value)) {
      yield name;
      yield* allStrings(one, depth + 1);
    }
  }
}

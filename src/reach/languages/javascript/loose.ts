/** A field of a value whose shape is not known; own fields alone, so that `__proto__` is a name like any other. */
export function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

export function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** The strings of a list, or a single one. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** How deep a configuration is looked into. */
const maxDepth = 30;

/** All strings of a value, however deep, and the names of its fields. */
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

/** The value at a path of an answer's body, as `invite.id` or `items.0.name`. */
export function at(body: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => {
    if (typeof value !== 'object' || value === null) return undefined;
    return Object.getOwnPropertyDescriptor(value, key)?.value;
  }, body);
}

/** The text at a path of an answer's body. Throws if there is anything else. */
export function textAt(body: unknown, path: string): string {
  const value = at(body, path);
  if (typeof value !== 'string') throw new TypeError(`${path} is no text in ${JSON.stringify(body)}`);
  return value;
}

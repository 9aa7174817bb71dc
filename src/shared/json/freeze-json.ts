/**
 * Leaves out what JSON leaves out (fields that are undefined), and lets nobody change the rest. Answers its size: characters, and 8
 * for each value that has none.
 */
export function freezeJson(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let size = 8;
  for (const [key, entry] of Object.entries(value)) {
    if (entry === undefined && !Array.isArray(value)) Reflect.deleteProperty(value, key);
    else size += key.length + freezeJson(entry);
  }
  Object.freeze(value);
  return size;
}

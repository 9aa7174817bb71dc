/** The keys of an object that has no others than its type says, as a literal does. In its order. */
export function keysOf<Table extends object>(table: Table): Array<Extract<keyof Table, string>> {
  const keys: Array<Extract<keyof Table, string>> = [];
  for (const key in table) keys.push(key);
  return keys;
}

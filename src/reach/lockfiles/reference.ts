/** The parts of `name@rest`, where a scope's `@` may begin the name: `@types/node@20.1.0`. */
export function splitReference(reference: string): { readonly name: string; readonly rest: string } {
  const at = reference.indexOf('@', 1);
  return at === -1 ? { name: reference, rest: '' } : { name: reference.slice(0, at), rest: reference.slice(at + 1) };
}

import { serialize } from 'pg-protocol';

const [query, sync, parse, close] = Buffer.from('QSPC');
const statement = 'S'.charCodeAt(0);

/**
 * Reads whole messages of a client: whether the last is one that the engine answers with ReadyForQuery (a simple query or Sync), and
 * which statements they prepare by name and close, which is noted in `prepared`. Format:
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
export function readMessages(bytes: Uint8Array, prepared: Set<string>): { readonly isComplete: boolean } {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let last = 0;
  for (let at = 0; at < view.length; at += 1 + view.readInt32BE(at + 1)) {
    last = at;
    if (view[at] === parse && view[at + 5] !== 0) prepared.add(nameAt(view, at + 5));
    if (view[at] === close && view[at + 5] === statement) prepared.delete(nameAt(view, at + 6));
  }
  return { isComplete: view[last] === query || view[last] === sync };
}

function nameAt(view: Buffer, at: number): string {
  return view.toString('utf8', at, view.indexOf(0, at));
}

/** The messages that close statements, and a Sync. */
export function closeMessages(names: Iterable<string>): Uint8Array {
  return Buffer.concat([...Array.from(names, (name) => serialize.close({ type: 'S', name })), serialize.sync()]);
}

import { LRUCache } from 'lru-cache';

/**
 * All that a process keeps between calls to answer faster or to limit them, and how many of each. What was unused for the longest
 * time goes first. Nothing here decides what a caller may see: that is asked with each call.
 */
const kept = {
  /** Callers by a keyed hash of their credential, for a minute, until anything about a caller changes (`CallerCache`). */
  callers: 20_000,
  /** Whose limits a credential counts against, by a keyed hash, until it is refused (`KnownCallers`). */
  limitedCallers: 20_000,
  /** Failed sign-ins of one limit, by account, address or site, for 15 minutes (`SlidingWindows`). */
  failedSignIns: 10_000,
  /** Clients of issuers with their metadata, for five minutes (`Clients`). */
  issuerClients: 200,
  /** Receivers of webhooks that did not answer, until they do (`HangingReceivers`). */
  hangingReceivers: 10_000,
  /** Statements that one connection has prepared, until it ends. Each keeps its plan in the server's memory: some 50 kB. */
  statements: 200,
  /** Texts of statements that one connection has sent once. */
  sentOnce: 500,
  /** Catalogues of the tools of asked toolsets. Another one is made again when it is asked for. */
  toolCatalogues: 16,
} as const;

export type Kept<Value extends object | string> = LRUCache<string, Value>;

/** Memory of one kind, empty. `onDrop` is called for what is dropped or deleted. */
export function keep<Value extends object | string>(
  what: keyof typeof kept,
  onDrop?: (value: Value) => void,
): Kept<Value> {
  return new LRUCache({ max: kept[what], ...(onDrop !== undefined && { dispose: onDrop }) });
}

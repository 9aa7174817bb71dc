export interface FairQueueOptions {
  /** The work, for messages, as `requests`. */
  readonly name: string;
  /** Pieces of work that run at once, in all. Absent: any number. */
  readonly maxRunning?: number;
  /** Those of one key. Absent: as many as in all. */
  readonly maxRunningPerKey?: number;
  /** Whether keys share the time of their work, or begin one piece each in turn, however long it takes. By default `time`. */
  readonly shares?: 'time' | 'pieces';
  /** Milliseconds that work may wait. Work whose wait is estimated to be longer is refused when it arrives. Absent: any time. */
  readonly maxWaitMs?: number;
  /** Pieces of work that wait, in all. It bounds the memory. Absent: any number. */
  readonly maxWaiting?: number;
  /** Those of one key. */
  readonly maxWaitingPerKey?: number;
  /** Whether a full queue takes work of a key with few waiting pieces, and refuses the last piece of the key with the most. */
  readonly displaces?: boolean;
  /** Milliseconds that work which yields waits for keys with a smaller share. By default 0. */
  readonly graceMs?: number;
  /** The text of a refusal. By default it says that too many pieces of this work are waiting. */
  readonly refusal?: string;
  /** The least and the most seconds after which refused work may come again. */
  readonly retryAfterSeconds?: readonly [least: number, most: number];
}

/** How one piece of work waits. */
export interface Wait {
  /** Ends the wait, as when the caller has disconnected. */
  readonly signal?: AbortSignal;
  /** Replaces that of the queue. */
  readonly maxWaitMs?: number;
  /** How many places it takes while it runs; 1 if absent. It begins where one is free. */
  readonly places?: number;
  /** It is long, and waits a moment for a key with a smaller share whose work has just ended: more of it may be on its way. */
  readonly yields?: boolean;
}

import type { TraceContext } from './caller.js';
import type { UpstreamFault } from './upstream/outcome.js';

/** A finished call, for metrics. No part of it is content. */
export interface CallRecord {
  /** The transport. */
  readonly face: 'trpc' | 'mcp';
  /** `group.member`. */
  readonly path: string;
  /** `ok`, an error code of the table, `caller_left` or `internal_error`. */
  readonly status: string;
  readonly durationMs: number;
  /** Of the longest request to the service. */
  readonly upstreamMs: number;
  /** Requests to the service. */
  readonly tries: number;
  readonly faults: readonly UpstreamFault[];
}

/** What watches calls. Absent parts cost nothing. */
export interface CallWatch {
  readonly onCall?: (record: CallRecord) => void;
  /** Runs a call in a span. `work` gets the trace context that its requests carry. */
  readonly traced?: <T>(
    call: Pick<CallRecord, 'face' | 'path'> & { readonly parent: TraceContext | null },
    work: (trace: TraceContext | null) => Promise<T>,
  ) => Promise<T>;
}

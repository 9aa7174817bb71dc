import type { Procedure } from '../procedures/define.js';
import type { ForwardedCaller } from '../shared/http/forwarded-caller.js';
import type { Deadline } from './deadline.js';
import type { UpstreamOutcome } from './upstream-outcome.js';

/** A request to a service of this process. */
interface InProcessRequest {
  readonly procedure: Procedure;
  /** Path and query, encoded. */
  readonly url: string;
  readonly authorization: string | undefined;
  readonly from: ForwardedCaller;
  readonly organisation: string | undefined;
  readonly requestId: string;
  /** Aborted when nobody waits for the answer any more. */
  readonly left: AbortSignal;
}

/** Answers as the service does over HTTP, and never throws; null for calls that have to go there. */
export type CallInProcess = (request: InProcessRequest) => Promise<{
  readonly status: number;
  readonly body: unknown;
  readonly retryAfterSeconds: number | null;
}> | null;

/** The answer of a call, or that its time or its caller has gone before. */
export function untilEnded(
  answer: NonNullable<ReturnType<CallInProcess>>,
  deadline: Deadline,
): Promise<UpstreamOutcome> {
  return new Promise((resolve) => {
    const end = () => resolve({ kind: 'ended', by: deadline.endedBy() ?? 'deadline' });
    deadline.signal.addEventListener('abort', end, { once: true });
    answer.then((answered) => {
      deadline.signal.removeEventListener('abort', end);
      resolve({ kind: 'answered', ...answered });
    });
  });
}

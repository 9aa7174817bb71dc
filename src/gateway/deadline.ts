export type EndedBy = 'deadline' | 'caller';

/** One time limit for all the work of a call. It also ends when the caller leaves. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Null while the call may go on. */
  readonly endedBy: () => EndedBy | null;
  readonly remainingMs: () => number;
  /** Frees the timer and aborts what still runs. Call it when the answer is complete, or the caller has left. */
  readonly release: () => void;
}

/** Why a call's work is aborted: a reason of its own for each call would be an error with a stack, made and thrown away. */
const ended = new Error('the call has ended');

/** `AbortSignal.any` with `AbortSignal.timeout()` would not say which ended the call, and would leave its timer. */
export function startDeadline(limitMs: number, caller: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const endsAt = performance.now() + limitMs;
  let endedBy: EndedBy | null = null;
  const end = (cause: EndedBy) => {
    endedBy ??= cause;
    controller.abort(ended);
  };
  const onCallerLeft = () => end('caller');
  const timer = setTimeout(() => end('deadline'), limitMs);
  caller?.addEventListener('abort', onCallerLeft, { once: true });
  if (caller?.aborted) onCallerLeft();
  return {
    signal: controller.signal,
    endedBy: () => endedBy,
    remainingMs: () => Math.max(0, endsAt - performance.now()),
    release: () => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', onCallerLeft);
      end('caller');
    },
  };
}

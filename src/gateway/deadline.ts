/** Why a call ended before its answer came. */
export type EndedBy = 'deadline' | 'caller';

/** One time limit for all that a call does, which also ends when the caller leaves. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Null while the call may go on. */
  readonly endedBy: () => EndedBy | null;
  readonly remainingMs: () => number;
  /** Frees the timer and gives up what still runs; call it when the answer is there, or nobody waits for the rest. */
  readonly release: () => void;
}

/**
 * Starts the time limit of one call. Written out instead of `AbortSignal.any([..., AbortSignal.timeout()])`, which tells
 * nobody which of the two ended it and keeps its timer running after the answer.
 */
export function startDeadline(limitMs: number, caller: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const endsAt = performance.now() + limitMs;
  let endedBy: EndedBy | null = null;
  const end = (cause: EndedBy) => {
    endedBy ??= cause;
    controller.abort();
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

/** Ends work in which nothing moves any more. */
export interface IdleWatch {
  /** Aborted when the caller leaves, nothing has moved for too long, or by `end`; the reason is the error to throw. */
  readonly signal: AbortSignal;
  /** Something moved. */
  readonly moved: () => void;
  readonly end: (error: Error) => void;
  /** Frees the timer. */
  readonly release: () => void;
}

interface Options {
  readonly idleMs: number;
  /** The error of work that stands still. */
  readonly onIdle: () => Error;
  /** Ends when the caller leaves. */
  readonly left: AbortSignal | undefined;
  readonly onLeft: () => Error;
}

export function watchIdle({ idleMs, onIdle, left, onLeft }: Options): IdleWatch {
  const controller = new AbortController();
  const end = (error: Error) => controller.abort(error);
  const leave = () => end(onLeft());
  const timer = setTimeout(() => end(onIdle()), idleMs);
  left?.addEventListener('abort', leave, { once: true });
  if (left?.aborted === true) leave();
  return {
    signal: controller.signal,
    moved: () => void timer.refresh(),
    end,
    release: () => {
      clearTimeout(timer);
      left?.removeEventListener('abort', leave);
    },
  };
}

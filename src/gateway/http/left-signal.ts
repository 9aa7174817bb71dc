import type { ServerResponse } from 'node:http';

/** Ends when the caller leaves before the answer. */
export function leftSignal(res: ServerResponse): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => {
    if (!res.writableEnded) controller.abort();
  });
  return controller.signal;
}

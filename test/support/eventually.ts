import { vi } from 'vitest';

/** Repeats a check until it passes, and answers its result. The limit only ends what hangs, on a loaded machine too. */
export function eventually<Result>(check: () => Result | Promise<Result>): Promise<Result> {
  return vi.waitFor(check, { timeout: 540_000, interval: 20 });
}

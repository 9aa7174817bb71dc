/** Files that are sent at once. More would only share the same line, and keep the page's other questions waiting. */
const maxConcurrent = 2;

let running = 0;
const waiting: (() => void)[] = [];

/** Runs a task when fewer than two others run, in the order in which they came. */
export async function inTurn<Result>(task: () => Promise<Result>): Promise<Result> {
  if (running >= maxConcurrent) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await task();
  } finally {
    // The place goes to the next one, if there is one.
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}

/** Milliseconds between two questions. What waits for somebody else may wait for days. */
const intervals = { running: 3_000, queued: 15_000 };

type State = 'queued' | 'running' | 'done' | 'failed';

interface Asked<Row> {
  readonly state: { readonly data: { readonly items: readonly Row[] } | undefined };
}

/**
 * `refetchInterval` of a list of jobs: asks again while one is queued or runs. The query library pauses it while the page is
 * not visible.
 */
export function whileRunning<Row>(stateOf: (row: Row) => State): (query: Asked<Row>) => number | false {
  return ({ state: { data } }) => {
    const states = data?.items.map(stateOf) ?? [];
    if (states.includes('running')) return intervals.running;
    return states.includes('queued') && intervals.queued;
  };
}

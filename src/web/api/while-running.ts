/** Milliseconds between two questions. What waits for somebody else may wait for days. */
const intervals = { running: 3_000, queued: 15_000 };

type State = 'queued' | 'running' | 'done' | 'failed';

/** Asks for a list of jobs again while one is queued or runs. The query library pauses it while the page is not visible. */
export function whileRunning<Row>(stateOf: (row: Row) => State) {
  return (rows: readonly Row[]): number | false => {
    const states = rows.map(stateOf);
    if (states.includes('running')) return intervals.running;
    return states.includes('queued') && intervals.queued;
  };
}

interface Asked<Row> {
  readonly state: { readonly data: { readonly items: readonly Row[] } | undefined };
}

/** The same as the `refetchInterval` of a query for one page. */
export function refetchWhileRunning<Row>(stateOf: (row: Row) => State) {
  return ({ state: { data } }: Asked<Row>) => whileRunning(stateOf)(data?.items ?? []);
}

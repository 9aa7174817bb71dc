/** Rows that one event names; `total` also counts the others. */
const maxRows = 5;

/** How many rows there are, and the worst of them. */
export interface TopN<Row> {
  readonly total: number;
  /** Worst first. */
  readonly worst: readonly Row[];
}

/** The same with more rows. `compare` puts the worse of two first. Keeps a handful of rows, however many there are. */
export function addToTopN<Row>(top: TopN<Row>, rows: readonly Row[], compare: (a: Row, b: Row) => number): TopN<Row> {
  return addTopN(top, { total: rows.length, worst: rows }, compare);
}

/** Both together. */
export function addTopN<Row>(a: TopN<Row>, b: TopN<Row>, compare: (a: Row, b: Row) => number): TopN<Row> {
  return { total: a.total + b.total, worst: [...a.worst, ...b.worst].sort(compare).slice(0, maxRows) };
}

/** Rows that one notification tells of; the total tells of more. */
const told = 5;

/** How many there are, and the worst of them. */
export interface TopN<Row> {
  readonly total: number;
  /** Worst first. */
  readonly worst: readonly Row[];
}

/** The digest with more rows. `compare` puts the worse of two first. Holds a handful of rows, however many there are. */
export function addToTopN<Row>(
  digest: TopN<Row>,
  rows: readonly Row[],
  compare: (a: Row, b: Row) => number,
): TopN<Row> {
  return {
    total: digest.total + rows.length,
    worst: [...digest.worst, ...rows].sort(compare).slice(0, told),
  };
}

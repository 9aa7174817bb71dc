import type { Transaction } from '../db/database.js';
import { Pace } from '../jobs/pace.js';
import { readPages } from '../jobs/pages.js';
import type { Landing } from './landing.js';

type Step = Landing<never>['step'];

/** Rows of one step: at first, and at most, so that its parameters stay below a few megabytes. */
const rowsOfStep = { first: 100, most: 2_000, least: 50 };

/** Writes rows in short transactions, as many in each as it has time for. Each row has at least the weight 1. */
export async function writeInSteps<Row>(
  step: Step,
  rows: readonly Row[],
  write: (tx: Transaction, rows: readonly Row[]) => Promise<unknown>,
  weightOf: (row: Row) => number = () => 1,
): Promise<void> {
  const pace = new Pace(rowsOfStep);
  for (let begin = 0; begin < rows.length; ) {
    let [end, weight] = [begin, 0];
    for (const row of rows.slice(begin, begin + pace.rows)) {
      if (weight >= pace.rows) break;
      weight += weightOf(row);
      end += 1;
    }
    const [batch, of] = [rows.slice(begin, end), weight];
    await step((tx) => pace.measure(of, () => write(tx, batch)));
    begin = end;
  }
}

/** Reads all pages of a query in short transactions. `read` gets the last row of the page before. */
export async function readInSteps<Row>(
  step: Step,
  read: (tx: Transaction, after: Row | undefined, limit: number) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const all: Row[] = [];
  for await (const page of readPages(step, { first: 500, most: 5_000 }, read)) for (const row of page) all.push(row);
  return all;
}

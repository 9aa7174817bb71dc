import type { RawBuilder } from 'kysely';
import type { Database, Transaction } from '../db/database.js';
import { ProjectOccupied } from '../db/project-occupied.js';
import { type JobRun, withoutRunner } from './job.js';
import { Pace, type PaceLimits } from './pace.js';

/** Runs one short transaction. */
export type InTransaction = <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;

interface Page {
  /** The beginning of the next page; undefined after the last one. */
  readonly next: unknown;
  /** The cost of the page, where that is not the number of rows that it was asked for. */
  readonly weight?: number;
}

/**
 * Works through many rows in short transactions, each as large as the pace allows. Gives each page once it is committed, and goes on
 * when the caller asks for the next: what the caller adds up stays right where a transaction is repeated.
 */
export async function* inPages<P extends Page>(
  transact: InTransaction,
  limits: Pace | PaceLimits,
  work: (tx: Transaction, before: P | undefined, rows: number) => Promise<P>,
  { stopping }: Pick<JobRun, 'stopping'> = withoutRunner,
): AsyncGenerator<P> {
  const pace = limits instanceof Pace ? limits : new Pace(limits);
  for (let before: P | undefined; !stopping.aborted; ) {
    const [last, rows] = [before, pace.rows];
    const page = await transact(async (tx) => {
      const begun = performance.now();
      const done = await work(tx, last, rows);
      pace.took(done.weight ?? rows, performance.now() - begun);
      return done;
    });
    yield page;
    if (page.next === undefined) return;
    before = page;
  }
}

/** Reads the rows of a query page by page. `read` gets the last row of the page before. */
export async function* readPages<Row>(
  transact: InTransaction,
  limits: PaceLimits,
  read: (tx: Transaction, after: Row | undefined, rows: number) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  type RowPage = { readonly found: readonly Row[]; readonly next: Row | undefined };
  const pages = inPages<RowPage>(transact, limits, async (tx, before, rows) => {
    const found = await read(tx, before?.next, rows);
    return { found, next: found.length < rows ? undefined : found.at(-1) };
  });
  for await (const { found } of pages) yield found;
}

/**
 * Repeats a statement of the service's own work, in a transaction each, until it changes nothing. Answers how many rows it has changed.
 *
 * @param statement changes so many rows at most
 */
export async function untilDone(
  database: Database,
  limits: PaceLimits,
  statement: (rows: number) => RawBuilder<unknown>,
  run = withoutRunner,
): Promise<number> {
  let total = 0;
  const change = async (tx: Transaction, _before: unknown, rows: number) => {
    const { numAffectedRows = 0n } = await statement(rows).execute(tx);
    return { changed: Number(numAffectedRows), next: numAffectedRows === 0n ? undefined : true };
  };
  for await (const { changed } of inPages((work) => database.system(work), limits, change, run)) {
    total += changed;
    run.done(changed);
  }
  return total;
}

/**
 * Transactions of the service's own work, each of which waits some seconds for a landing on its project and is then tried again. A
 * landing that never ends is undone when its lease has.
 */
export function whenFree(transact: InTransaction): InTransaction {
  return async (work) => {
    for (;;) {
      const done = await unlessOccupied(transact(async (tx) => ({ result: await work(tx) })));
      if (done !== undefined) return done.result;
    }
  };
}

/** The answer of a transaction; undefined where a landing on its project keeps it away for longer than it waits. */
export async function unlessOccupied<T>(transacted: Promise<T>): Promise<T | undefined> {
  try {
    return await transacted;
  } catch (error) {
    if (error instanceof ProjectOccupied) return undefined;
    throw error;
  }
}

import type * as z from 'zod';
import { type leftOutKinds, maxSkippedRows, type Receipt } from '../../procedures/receipt.js';
import type { ScannedDomain } from '../../procedures/scanner-formats.js';
import { yieldToEventLoop } from '../../shared/async/yield-to-event-loop.js';
import { describeInvalid } from '../../shared/schema/parse-input.js';
import { onOneLine } from '../../shared/text/cut.js';
import { unreadableReport } from './parse-report.js';

export type LeftOutKind = (typeof leftOutKinds)[number];

/** A place inside a report: the keys and indexes that lead to it. */
export type RowPath = readonly (string | number)[];

/** Characters of a reason. Parts of it may come from the report. */
const maxReason = 200;

interface Skipped {
  readonly place: RowPath;
  /** Inside the row, as `message.text`; `` for the whole row. */
  readonly field: string;
  readonly expected: string;
}

/**
 * Counts what becomes of the rows of one report. One odd row does not refuse the others: it is skipped, and the receipt says
 * where it is and what is wrong with it.
 */
export class Intake {
  readonly #domain: ScannedDomain;
  readonly #yieldNow = yieldToEventLoop();
  readonly #skippedRows: Skipped[] = [];
  readonly #leftOut = new Map<LeftOutKind, number>();
  #skipped = 0;
  #read = 0;

  constructor(domain: ScannedDomain) {
    this.#domain = domain;
  }

  /** Rows that could not be read so far. A source with such a row is not known to be free of what the row would say. */
  get skipped(): number {
    return this.#skipped;
  }

  /** `rows` are those that the place holds: at least one, since the place itself is odd. */
  skip(place: RowPath, expected: string, field = '', rows = 1): void {
    this.#skipped += Math.max(1, rows);
    if (this.#skippedRows.length < maxSkippedRows) this.#skippedRows.push({ place, field, expected });
  }

  leaveOut(kind: LeftOutKind, rows = 1): void {
    if (rows > 0) this.#leftOut.set(kind, (this.#leftOut.get(kind) ?? 0) + rows);
  }

  /** Reads one row or part of a report; null where it does not fit, which is then skipped with its `rows`. */
  part<Schema extends z.ZodObject>(schema: Schema, value: unknown, place: RowPath, rows = 1): z.output<Schema> | null {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    const [first = { field: '', message: 'cannot be read' }] = describeInvalid(schema, parsed.error);
    this.skip(place, first.message, first.field, rows);
    return null;
  }

  /**
   * The rows of a list that can be read, with their index. `leftOut` names the kind of a row that is not kept. Lets other
   * requests run in between.
   */
  async *rows<Schema extends z.ZodObject>(
    schema: Schema,
    list: readonly unknown[],
    place: RowPath,
    leftOut: (row: unknown) => LeftOutKind | null = () => null,
  ): AsyncGenerator<z.output<Schema>> {
    for (const [at, value] of list.entries()) {
      await this.#yieldNow();
      const kind = leftOut(value);
      if (kind !== null) {
        this.leaveOut(kind);
        continue;
      }
      const row = this.part(schema, value, [...place, at]);
      if (row === null) continue;
      this.#read += 1;
      yield row;
    }
  }

  /**
   * Throws `unreadableReport` for a report that has rows of which not one could be read.
   *
   * @param hasComplete whether a part of the report is without such a row; it may have none at all
   */
  requireReadable(hasComplete: boolean): void {
    const [first] = this.#skippedRows;
    if (first === undefined || hasComplete || this.#read > 0 || this.#leftOut.size > 0) return;
    const place = [...first.place, first.field].filter((part) => part !== '').join('.');
    throw unreadableReport(this.#domain, place, first.expected);
  }

  /** @param taken how many findings the rows became: a row that gives one again is merged with it */
  receipt(taken: number): Receipt {
    const left_out = [...this.#leftOut].map(([kind, count]) => ({ kind, count }));
    const leftOut = left_out.reduce((sum, { count }) => sum + count, 0);
    return {
      rows: this.#read + this.#skipped + leftOut,
      taken,
      merged: this.#read - taken,
      skipped: this.#skipped,
      skipped_rows: this.#skippedRows.map(({ place, field, expected }) => ({
        pointer: pointerTo(place),
        reason: onOneLine(field === '' ? expected : `${field}: ${expected}`, maxReason),
      })),
      left_out,
    };
  }
}

/** A JSON Pointer (RFC 6901). In an XML report it leads to the same place in its JSON form. */
function pointerTo(place: RowPath): string {
  return place.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

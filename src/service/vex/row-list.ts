import { yieldToEventLoop } from '../../shared/async/yield-to-event-loop.js';
import { invalidField } from '../http/api-error.js';
import type { VexRow } from './statement.js';

/** Rows of one document. The largest public ones have some ten thousand. */
const maxRows = 200_000;

/** The rows of a document while it is read. Other requests have their turn in between. */
export class RowList {
  readonly rows: VexRow[] = [];
  readonly #yieldNow = yieldToEventLoop();

  /** @throws ApiError (422) where the document has too many rows */
  add(row: VexRow): Promise<void> | undefined {
    if (this.rows.length === maxRows) throw invalidField('document', 'too_many_statements');
    this.rows.push(row);
    return this.#yieldNow();
  }

  addSkipped(pointer: string, reason: string): Promise<void> | undefined {
    return this.add({ kind: 'skipped', pointer, reason });
  }
}

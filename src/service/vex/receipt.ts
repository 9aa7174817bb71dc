import type * as z from 'zod';
import { maxSkippedRows } from '../../procedures/receipt.js';
import { type vex, vexLeftOutKinds } from '../../procedures/vex.js';
import { clip } from '../../shared/text/cut.js';
import type { RowOutcome } from './match.js';
import type { VexDocument, VexRow, VexStatement } from './statement.js';

type Receipt = z.output<typeof vex.upload.output>['receipt'];

const maxReasonLength = 300;

/** What became of each row of a document. `outcomeOf` is asked for statements that could propose something. */
export function receiptOf({ rows }: VexDocument, outcomeOf: (statement: VexStatement) => RowOutcome): Receipt {
  const counts = { taken: 0, merged: 0, skipped: 0 };
  const skipped_rows: Receipt['skipped_rows'] = [];
  const leftOut = new Map<Kind, number>();
  for (const row of rows) {
    const kind = leftOutKind(row);
    if (kind !== null) {
      leftOut.set(kind, (leftOut.get(kind) ?? 0) + 1);
      continue;
    }
    const outcome =
      row.kind === 'statement' ? outcomeOf(row) : row.kind === 'skipped' ? { skipped: row.reason } : 'merged';
    if (typeof outcome === 'string') counts[outcome] += 1;
    else {
      counts.skipped += 1;
      const pointer = 'pointer' in row ? row.pointer : '';
      if (skipped_rows.length < maxSkippedRows)
        skipped_rows.push({ pointer, reason: clip(outcome.skipped, maxReasonLength) });
    }
  }
  const left_out = vexLeftOutKinds.flatMap((kind) => {
    const count = leftOut.get(kind) ?? 0;
    return count === 0 ? [] : [{ kind, count }];
  });
  return { rows: rows.length, ...counts, skipped_rows, left_out };
}

type Kind = (typeof vexLeftOutKinds)[number];

function leftOutKind(row: VexRow): Kind | null {
  if (row.kind === 'other') return 'other';
  if (row.kind === 'skipped') return null;
  return row.status === 'fixed' || row.status === 'under_investigation' ? row.status : null;
}

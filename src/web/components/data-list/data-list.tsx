import { type RowData, useTable } from '@tanstack/react-table';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Page } from '../../api/pages.js';
import { classNames } from '../class-names.js';
import { Failed, Skeleton } from '../state/state.js';
import { type Column, definitions, features } from './columns.js';
import styles from './data-list.module.css';
import { moveByKey } from './keyboard.js';

export interface PagesQuery<Row> {
  readonly data: { readonly pages: ReadonlyArray<Page<Row>> } | undefined;
  readonly error: unknown;
  readonly isPlaceholderData: boolean;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
  readonly refetch: () => unknown;
}

interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly onChange: (ids: ReadonlySet<string>) => void;
}

interface DataListProps<Row> {
  /** What the rows are, for those who do not see them: `Alerts`. */
  readonly label: string;
  readonly query: PagesQuery<Row>;
  readonly columns: ReadonlyArray<Column<Row>>;
  readonly rowId: (row: Row) => string;
  /** Shown when there is no row: what was looked at, and the next step. */
  readonly empty: ReactNode;
  readonly selection?: Selection;
  /** The row whose detail is open. */
  readonly current?: string | undefined;
}

/** Heights of a row in pixels, until it is measured. */
const rowHeight = 37;

/**
 * A list of rows that the server pages. Only the rows in view are in the document; the next page is asked for before its rows
 * come into view. Arrow keys, `j` and `k` move between rows, Enter opens the row's link, `x` selects it.
 */
export function DataList<Row extends RowData>({
  label,
  query,
  columns,
  rowId,
  empty,
  selection,
  current,
}: DataListProps<Row>) {
  const rows = useMemo(() => query.data?.pages.flatMap((page) => [...page.items]) ?? [], [query.data]);
  const columnDefs = useMemo(() => definitions(columns), [columns]);
  const rowSelection = useMemo(
    () => Object.fromEntries([...(selection?.ids ?? [])].map((id) => [id, true as const])),
    [selection],
  );
  const table = useTable({
    features,
    data: rows,
    columns: columnDefs,
    getRowId: rowId,
    state: { rowSelection },
    enableRowSelection: selection !== undefined,
    onRowSelectionChange: (change) => {
      const next = typeof change === 'function' ? change(rowSelection) : change;
      selection?.onChange(new Set(Object.keys(next).filter((id) => next[id])));
    },
  });
  const body = useRef<HTMLTableSectionElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  // What stands above the rows can change its height, as the page's first sentence does.
  useLayoutEffect(() => {
    if (body.current !== null) setScrollMargin(Math.round(body.current.getBoundingClientRect().top + window.scrollY));
  });
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin,
  });
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  useEffect(() => {
    if (last >= rows.length - 30 && hasNextPage && !isFetchingNextPage) fetchNextPage();
  }, [last, rows.length, hasNextPage, isFetchingNextPage, fetchNextPage]);

  if (query.data === undefined) {
    return query.error === null ? (
      <Skeleton rows={12} />
    ) : (
      <Failed error={query.error} onRetry={() => query.refetch()} />
    );
  }
  if (rows.length === 0) return empty;
  const margin = virtualizer.options.scrollMargin;
  const before = (items[0]?.start ?? margin) - margin;
  const after = virtualizer.getTotalSize() - ((items.at(-1)?.end ?? margin) - margin);
  const tableRows = table.getRowModel().rows;
  const total = query.data.pages[0]?.total ?? rows.length;
  return (
    <div className={styles.list}>
      {query.error !== null && <Failed error={query.error} onRetry={() => query.refetch()} />}
      <table
        className={classNames(styles.table, query.isPlaceholderData && styles.stale)}
        aria-label={label}
        aria-rowcount={total + 1}
        aria-busy={query.isPlaceholderData || isFetchingNextPage}
        onKeyDown={moveByKey}
      >
        <thead>
          <tr aria-rowindex={1}>
            {selection !== undefined && (
              <th scope="col" className={styles.check}>
                <input
                  type="checkbox"
                  aria-label="Select all loaded rows"
                  checked={table.getIsAllRowsSelected()}
                  onChange={table.getToggleAllRowsSelectedHandler()}
                />
              </th>
            )}
            {columns.map(({ id, header, hidesHeader, align, grow, room }) => (
              <th
                key={id}
                scope="col"
                data-room={room}
                className={classNames(align === 'end' && styles.end, grow && styles.grow)}
              >
                {hidesHeader ? <span className="visually-hidden">{header}</span> : header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          <Spacer height={before} />
          {items.map(({ index }) => {
            const row = tableRows[index];
            if (row === undefined) return null;
            return (
              <tr
                key={row.id}
                ref={virtualizer.measureElement}
                data-index={index}
                data-row={row.id}
                aria-rowindex={index + 2}
                className={classNames(current === row.id && styles.current, row.getIsSelected() && styles.selected)}
              >
                {selection !== undefined && (
                  <td className={styles.check}>
                    <input
                      type="checkbox"
                      aria-label="Select this row"
                      checked={row.getIsSelected()}
                      onChange={row.getToggleSelectedHandler()}
                    />
                  </td>
                )}
                {columns.map(({ id, align, narrow, grow, room, cell }) => (
                  <td
                    key={id}
                    data-narrow={narrow ?? 'hidden'}
                    data-room={room}
                    className={classNames(align === 'end' && styles.end, grow && styles.grow)}
                  >
                    {cell(row.original)}
                  </td>
                ))}
              </tr>
            );
          })}
          <Spacer height={after} />
        </tbody>
      </table>
      {isFetchingNextPage && <Skeleton rows={3} label="Loading more" />}
      {!hasNextPage && total > rows.length && (
        <p className={styles.more}>
          The first {rows.length} of {total} rows. Filter to reach the others.
        </p>
      )}
    </div>
  );
}

function Spacer({ height }: { readonly height: number }) {
  return height > 0 ? <tr style={{ height }} /> : null;
}

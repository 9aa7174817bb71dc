import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Page } from '../../api/pages.js';
import { classNames } from '../class-names.js';
import { Failed, Skeleton } from '../state/state.js';
import type { Column } from './columns.js';
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
  readonly selection?: Selection | undefined;
  /** The row whose detail is open. */
  readonly current?: string | undefined;
}

/** Height of a row in pixels, until it is measured. */
const rowHeight = 37;

/**
 * A list of rows that the server pages. Only the rows in view are in the document; the next page is asked for before its rows
 * come into view. Arrow keys, `j` and `k` move between rows, Enter opens the row's link, `x` selects it.
 */
export function DataList<Row>({ label, query, columns, rowId, empty, selection, current }: DataListProps<Row>) {
  const rows = useMemo(() => query.data?.pages.flatMap((page) => [...page.items]) ?? [], [query.data]);
  const { body, items, before, after, measureElement } = useRowsInView(rows.length, query);
  if (query.data === undefined) {
    return query.error === null ? (
      <Skeleton rows={12} />
    ) : (
      <Failed error={query.error} onRetry={() => query.refetch()} />
    );
  }
  if (rows.length === 0) return empty;
  const { isPlaceholderData, isFetchingNextPage, hasNextPage } = query;
  const total = query.data.pages[0]?.total ?? rows.length;
  return (
    <div className={styles.list}>
      {query.error !== null && <Failed error={query.error} onRetry={() => query.refetch()} />}
      <table
        className={classNames(styles.table, isPlaceholderData && styles.stale)}
        aria-label={label}
        aria-rowcount={total + 1}
        aria-busy={isPlaceholderData || isFetchingNextPage}
        onKeyDown={moveByKey}
      >
        <thead>
          <tr aria-rowindex={1}>
            {selection && <SelectAll ids={rows.map(rowId)} selection={selection} />}
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
            const row = rows[index];
            if (row === undefined) return null;
            const id = rowId(row);
            const props = { row, id, index, columns, selection, isCurrent: id === current };
            return <ListRow key={id} {...props} measure={measureElement} />;
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

/** The rows that are in view or near it, and the heights of what is left out before and after them. */
function useRowsInView(count: number, { hasNextPage, isFetchingNextPage, fetchNextPage }: PagesQuery<unknown>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  // What stands above the rows can change its height, as the page's first sentence does.
  useLayoutEffect(() => {
    if (body.current !== null) setScrollMargin(Math.round(body.current.getBoundingClientRect().top + window.scrollY));
  });
  const virtualizer = useWindowVirtualizer({ count, estimateSize: () => rowHeight, overscan: 12, scrollMargin });
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= count - 30 && hasNextPage && !isFetchingNextPage) fetchNextPage();
  }, [last, count, hasNextPage, isFetchingNextPage, fetchNextPage]);
  const margin = virtualizer.options.scrollMargin;
  const before = (items[0]?.start ?? margin) - margin;
  const after = virtualizer.getTotalSize() - ((items.at(-1)?.end ?? margin) - margin);
  return { body, items, before, after, measureElement: virtualizer.measureElement };
}

function SelectAll({ ids, selection }: { readonly ids: readonly string[]; readonly selection: Selection }) {
  const isAll = ids.every((id) => selection.ids.has(id));
  const toggle = () => {
    const others = [...selection.ids].filter((id) => !ids.includes(id));
    selection.onChange(new Set(isAll ? others : [...others, ...ids]));
  };
  return (
    <th scope="col" className={styles.check}>
      <input type="checkbox" aria-label="Select all loaded rows" checked={isAll} onChange={toggle} />
    </th>
  );
}

interface ListRowProps<Row> extends Pick<DataListProps<Row>, 'columns' | 'selection'> {
  readonly row: Row;
  readonly id: string;
  readonly index: number;
  readonly isCurrent: boolean;
  readonly measure: (element: HTMLTableRowElement | null) => void;
}

function ListRow<Row>({ row, id, index, columns, selection, isCurrent, measure }: ListRowProps<Row>) {
  const isSelected = selection?.ids.has(id) ?? false;
  const toggle = () => {
    const others = [...(selection?.ids ?? [])].filter((each) => each !== id);
    selection?.onChange(new Set(isSelected ? others : [...others, id]));
  };
  return (
    <tr
      ref={measure}
      data-index={index}
      data-row={id}
      aria-rowindex={index + 2}
      className={classNames(isCurrent && styles.current, isSelected && styles.selected)}
    >
      {selection && (
        <td className={styles.check}>
          <input type="checkbox" aria-label="Select this row" checked={isSelected} onChange={toggle} />
        </td>
      )}
      {columns.map(({ id: column, align, narrow, grow, room, cell }) => (
        <td
          key={column}
          data-narrow={narrow ?? 'hidden'}
          data-room={room}
          className={classNames(align === 'end' && styles.end, grow && styles.grow)}
        >
          {cell(row)}
        </td>
      ))}
    </tr>
  );
}

function Spacer({ height }: { readonly height: number }) {
  return height > 0 ? <tr style={{ height }} /> : null;
}

import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Page } from '../../api/client.js';
import { classNames } from '../class-names.js';
import { Failed, Skeleton } from '../page/page.js';
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

/** The id of a row: an item of a tech stack has it under another name. */
type Identified = { readonly id: string } | { readonly item_id: string };
const idOf = (row: Identified) => ('id' in row ? row.id : row.item_id);

interface DataListProps<Row> {
  /** What the rows are, for those who do not see them: `Alerts`. */
  readonly label: string;
  readonly query: PagesQuery<Row>;
  readonly columns: ReadonlyArray<Column<Row>>;
  /** Shown when there is no row: what was looked at, and the next step. */
  readonly empty: ReactNode;
  readonly selection?: Selection | undefined;
  readonly current?: string | undefined;
}

/** Height of a row in pixels, until it is measured. */
const rowHeight = 37;

/**
 * A list of rows that the server pages. Only the rows in view are in the document; the next page is asked for before its rows
 * come into view. Arrow keys, `j` and `k` move between rows, Enter opens the row's link, `x` selects it.
 */
export function DataList<Row extends Identified>(props: DataListProps<Row>) {
  const { query, empty } = props;
  const rows = useMemo(() => query.data?.pages.flatMap((page) => [...page.items]) ?? [], [query.data]);
  const failed = query.error !== null && <Failed error={query.error} onRetry={() => query.refetch()} />;
  if (query.data === undefined) return failed || <Skeleton rows={12} />;
  if (rows.length === 0) return empty;
  const total = query.data.pages[0]?.total ?? rows.length;
  return (
    <div className={styles.list}>
      {failed}
      <Table {...props} rows={rows} total={total} />
      {query.isFetchingNextPage && <Skeleton rows={3} label="Loading more" />}
      {!query.hasNextPage && total > rows.length && (
        <p className={styles.more}>
          The first {rows.length} of {total} rows. Filter to reach the others.
        </p>
      )}
    </div>
  );
}

interface TableProps<Row> extends DataListProps<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
}

function Table<Row extends Identified>(props: TableProps<Row>) {
  const { label, query, columns, rows, total, selection, current } = props;
  const { body, items, before, after, measureElement } = useRowsInView(rows.length, query);
  return (
    <table
      className={classNames(styles.table, query.isPlaceholderData && styles.stale)}
      aria-label={label}
      aria-rowcount={total + 1}
      aria-busy={query.isPlaceholderData || query.isFetchingNextPage}
      onKeyDown={moveByKey}
    >
      <thead>
        <tr aria-rowindex={1}>
          {selection && <SelectAll ids={rows.map(idOf)} selection={selection} />}
          {columns.map(({ header, hidesHeader, ...column }) => (
            <th key={column.id} scope="col" {...lookOf(column)}>
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
          const id = idOf(row);
          const of = { row, id, index, columns, selection, isCurrent: id === current };
          return <ListRow key={id} {...of} measure={measureElement} />;
        })}
        <Spacer height={after} />
      </tbody>
    </table>
  );
}

const lookOf = ({ align, grow, room }: Pick<Column<never>, 'align' | 'grow' | 'room'>) => ({
  'data-room': room,
  className: classNames(align === 'end' && styles.end, grow && styles.grow),
});

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
      {columns.map(({ cell, narrow = 'hidden', ...column }) => (
        <td key={column.id} data-narrow={narrow} {...lookOf(column)}>
          {cell(row)}
        </td>
      ))}
    </tr>
  );
}

function Spacer({ height }: { readonly height: number }) {
  return height > 0 ? <tr style={{ height }} /> : null;
}

export interface Column<Row> {
  readonly id: string;
  readonly header: string;
  /** The header is for those who do not see the column, as that of buttons. */
  readonly hidesHeader?: true;
  readonly cell: (row: Row) => ReactNode;
  /** Where the screen is narrow: `first` and `second` are the row's two lines, absent ones are not shown. */
  readonly narrow?: 'first' | 'second';
  readonly align?: 'end';
  /** The column that takes the room that others leave. */
  readonly grow?: boolean;
  /** Shown only where the list has the room: from 900 px (`some`), 1080 px (`much`) or 1240 px (`most`). */
  readonly room?: 'some' | 'much' | 'most';
}

/** The last column of a list: buttons for one row. */
export function actionsColumn<Row>(cell: Column<Row>['cell']): Column<Row> {
  return { id: 'actions', header: 'Actions', hidesHeader: true, narrow: 'second', align: 'end', cell };
}

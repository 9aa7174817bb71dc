import type { ReactNode } from 'react';

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

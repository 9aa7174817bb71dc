interface Page {
  readonly next_cursor: string | null;
}

/** The `cursor` of the page after this one, as `getNextPageParam` of an endless list; undefined on the last page. */
export function nextCursor({ next_cursor }: Page): string | undefined {
  return next_cursor ?? undefined;
}

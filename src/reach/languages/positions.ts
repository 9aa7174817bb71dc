/** A place in a text, from 1; columns in UTF-16 code units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Finds the place of an offset in a text. */
export type PlaceOf = (offset: number) => Position;

/** Finds the lines of offsets in a text, which is read no further than to the last of them. */
export function positionsIn(text: string): PlaceOf {
  const starts = [0];
  // A text without line feeds has carriage returns in their place.
  const end = text.includes('\n') ? '\n' : '\r';
  let next = text.indexOf(end) + 1;
  return (offset) => {
    for (; next > 0 && next <= offset; next = text.indexOf(end, next) + 1) starts.push(next);
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}

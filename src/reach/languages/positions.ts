/** A place in a text, from 1; columns in UTF-16 code units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Finds the lines of offsets in a text, which is read no further than to the last of them. */
export function positionsIn(text: string): (offset: number) => Position {
  const starts = [0];
  let next = text.indexOf('\n') + 1;
  return (offset) => {
    for (; next > 0 && next <= offset; next = text.indexOf('\n', next) + 1) starts.push(next);
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

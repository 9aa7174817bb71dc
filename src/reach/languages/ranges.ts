/** A part of a text. The ranges of a list are in order and do not overlap. */
export type Range = readonly [from: number, to: number];

/** Whether an offset lies in one of the ranges. */
export function isWithin(ranges: readonly Range[], offset: number): boolean {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.[0] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low > 0 && offset < (ranges[low - 1]?.[1] ?? 0);
}

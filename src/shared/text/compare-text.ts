/** Order by UTF-16 code unit: the same on every machine, whatever its language. For ASCII it is the byte order. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

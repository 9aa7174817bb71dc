/** A count as people read it, `1,234`: `toLocaleString` loads the rules of all languages first, which takes longer than 20 files. */
export function number(amount: number): string {
  return String(amount).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

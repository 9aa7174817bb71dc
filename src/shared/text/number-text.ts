/**
 * A count as people read it: `1,234`. `toLocaleString` would first load the rules of all languages, which takes longer than
 * reading 20 files.
 */
export function formatCount(amount: number): string {
  return String(amount).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** A probability, 0-1, in percent: 0.0341 -> `3.4 %`. Below 0.1 % two digits are kept, which tell advisories apart there. */
export function formatPercent(probability: number): string {
  const value = probability * 100;
  return `${value >= 0.1 ? value.toFixed(1) : value.toPrecision(2)} %`;
}

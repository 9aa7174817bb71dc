const whole = new Intl.NumberFormat();
const percentage = new Intl.NumberFormat(undefined, { style: 'percent', maximumSignificantDigits: 2 });

/** `1,204`. */
export function count(value: number): string {
  return whole.format(value);
}

/** `1 alert`, `1,204 alerts`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${whole.format(value)} ${value === 1 ? one : many}`;
}

/** A probability 0-1 as `4.3 %`. */
export function percent(probability: number): string {
  return percentage.format(probability);
}

/** `1.2 MB`. */
export function bytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  const step = Math.min(Math.floor(Math.log10(Math.max(value, 1)) / 3), units.length - 1);
  return `${new Intl.NumberFormat(undefined, { maximumFractionDigits: step === 0 ? 0 : 1 }).format(value / 1000 ** step)} ${units[step]}`;
}

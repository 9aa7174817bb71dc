/** How one ecosystem reads and orders its versions. Parse once, compare often: `Parsed` is opaque to callers. */
export interface Ordering<Parsed> {
  /** The version a text stands for, or null when the ecosystem would not call it one. Never throws. */
  parse(text: string): Parsed | null;
  /** Negative, 0 or positive, as `Array.prototype.sort` wants it. */
  compare(a: Parsed, b: Parsed): number;
  isPrerelease(version: Parsed): boolean;
}

/** Characters. npm and NuGet refuse longer versions; no registry in use publishes any. Bounds all parsing work. */
export const longestVersion = 256;

/** A number of a version: a bigint only where a double would lose digits. `<` and `>` are exact across both. */
export type VersionNumber = number | bigint;

/** Digits a double always holds exactly (2^53 has 16). */
const exactDigits = 15;

/** Reads decimal digits, of which there must be at least one. Leading zeros do not count. */
export function toNumber(digits: string): VersionNumber {
  return digits.length <= exactDigits ? Number(digits) : BigInt(digits);
}

export function compareNumbers(a: VersionNumber, b: VersionNumber): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** By UTF-16 code unit, which for the ASCII of version labels is the byte order every specification asks for. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Position by position; what a shorter list lacks counts as 0, so that 1.0 equals 1.0.0. */
export function compareNumberLists(a: readonly VersionNumber[], b: readonly VersionNumber[]): number {
  const length = Math.max(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const order = compareNumbers(a[i] ?? 0, b[i] ?? 0);
    if (order !== 0) return order;
  }
  return 0;
}

/** How one ecosystem reads and orders its versions. A version is parsed once and compared often. */
export interface Ordering<Parsed> {
  /** The version that a text stands for; null where the ecosystem would not accept it as one. Never throws. */
  parse(text: string): Parsed | null;
  /** Negative, 0 or positive, as for `Array.prototype.sort`. */
  compare(a: Parsed, b: Parsed): number;
  isPrerelease(version: Parsed): boolean;
  /** Whether it is above the versions of a branch, though what was installed of that may be older than any of them. */
  isOpenEnded?(version: Parsed): boolean;
  /** Whether a text names what its tool installs but has no place in the order. Only asked where `parse` gives null. */
  isUnordered?(text: string): boolean;
}

/** Characters. npm and NuGet reject longer versions, and no registry in use has any. Limits the work of parsing. */
export const maxVersionLength = 256;

/** A number of a version: a bigint only where a double would lose digits. `<` and `>` compare both kinds exactly. */
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

/** Position by position. Missing positions of a shorter list count as 0, so 1.0 equals 1.0.0. */
export function compareNumberLists(a: readonly VersionNumber[], b: readonly VersionNumber[]): number {
  const length = Math.max(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const order = compareNumbers(a[i] ?? 0, b[i] ?? 0);
    if (order !== 0) return order;
  }
  return 0;
}

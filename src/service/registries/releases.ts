import type { PackageKey } from '../alerts/tracked-packages.js';
import type { Transaction } from '../db/database.js';

/** What a registry says of one version of a package. */
export interface Release {
  readonly version: string;
  /** Ranges by names; null: not known. */
  readonly dependencies: Readonly<Record<string, string>> | null;
  readonly deprecated: boolean;
  /** Of npm: the versions of Node that it runs on. */
  readonly node: string | null;
}

/** All versions of a package, as its registry lists them. */
export interface Releases {
  readonly latest: string | null;
  readonly versions: readonly string[];
  release(version: string): Release | undefined;
}

export async function loadReleases(
  _tx: Transaction,
  _packages: readonly PackageKey[],
  _now: Date,
): Promise<ReadonlyMap<string, Releases>> {
  return new Map();
}

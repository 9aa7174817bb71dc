import type { Ecosystem } from '../../../src/shared/packages/ecosystem.js';

/** What is known without our readers of the packages of one ecosystem. */
export interface Truth {
  readonly ecosystem: Ecosystem;
  /** Packages that production code imports or a framework loads, each with a place that shows it. */
  readonly used: ReadonlyMap<string, string>;
}

/** The packages of the ecosystem that the lock files name; direct ones are marked. */
export type Listed = ReadonlyMap<string, { readonly direct: boolean }>;

/** Null where the machine lacks what the truth needs. */
export type TruthFinder = (folder: string, listed: Listed) => Promise<Truth | null>;

import type { PackageSite } from '../analysis/language.js';

/** Which part of a specifier is known, where the rest is computed: `./env/` + name + `.js`. */
export interface Computed {
  readonly prefix: string;
  readonly suffix: string;
}

/** One place where a module names another, as it stands there: not yet resolved. */
export interface Reference {
  readonly specifier: string | Computed;
  /** Where the specifier begins, in UTF-16 code units from the start of the file. */
  readonly offset: number;
  readonly kind: PackageSite['kind'];
  typeOnly: boolean;
  readonly mock: boolean;
  readonly symbols: Set<string>;
  symbolsComplete: boolean;
}

/** What one module says of others. */
export interface ModuleFacts {
  readonly references: readonly Reference[];
  /** Imports and requires whose target is computed. */
  readonly unknownDynamic: number;
  /** False where the parser gave up and nothing could be found without it. */
  readonly parsed: boolean;
}

/** A reference of which no symbol is known yet. */
export function newReference(
  kind: Reference['kind'],
  specifier: Reference['specifier'],
  offset: number,
  more: { readonly typeOnly?: boolean; readonly mock?: boolean } = {},
): Reference {
  const { typeOnly = false, mock = false } = more;
  return { specifier, offset, kind, typeOnly, mock, symbols: new Set(), symbolsComplete: true };
}

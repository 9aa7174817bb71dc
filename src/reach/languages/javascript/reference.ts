import type { PackageSite } from '../language-reader.js';

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
  /** Not read yet: whether TypeScript erases it, since all that it brings in are types. */
  unsettled: boolean;
  /** Not read yet: what is used of the package that it brings in as a whole. */
  unread: boolean;
  readonly mock: boolean;
  readonly symbols: Set<string>;
  symbolsComplete: boolean;
}

/** What one module says of others. */
export interface ModuleFacts {
  readonly references: readonly Reference[];
  /** Imports and requires whose target is computed. */
  readonly unknownDynamic: number;
  /** False where the parser gave up: the references are those that patterns find. */
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
  return {
    specifier,
    offset,
    kind,
    typeOnly,
    unsettled: false,
    unread: false,
    mock,
    symbols: new Set(),
    symbolsComplete: true,
  };
}

import type { PackageSite } from '../../language-reader.js';

/** The known ends of a computed specifier: `./env/` + name + `.js`. Both are empty where nothing of it is known. */
export interface PartialSpecifier {
  readonly prefix: string;
  readonly suffix: string;
}

/** One place where a module names another module, not resolved yet. */
export interface Reference {
  readonly specifier: string | PartialSpecifier;
  /** Where the specifier begins, in UTF-16 code units from the start of the script. */
  readonly offset: number;
  readonly kind: PackageSite['kind'];
  typeOnly: boolean;
  /** True until the syntax tree is read: TypeScript erases the import if all its names are used as types only. */
  erasureUnknown: boolean;
  /** True until the syntax tree is read: it shows which symbols of a module imported as a whole are used. */
  symbolsUnread: boolean;
  readonly mock: boolean;
  /** A name of the file stands for the whole module or its default. */
  isWhole: boolean;
  readonly symbols: Set<string>;
  symbolsComplete: boolean;
}

export interface ModuleFacts {
  readonly references: readonly Reference[];
  /** False where the parser failed and the references come from patterns. */
  readonly parsed: boolean;
}

export function newReference(
  kind: Reference['kind'],
  specifier: Reference['specifier'],
  offset: number,
  options: { readonly typeOnly?: boolean; readonly mock?: boolean } = {},
): Reference {
  const { typeOnly = false, mock = false } = options;
  return {
    specifier,
    offset,
    kind,
    typeOnly,
    erasureUnknown: false,
    symbolsUnread: false,
    mock,
    isWhole: false,
    symbols: new Set(),
    symbolsComplete: true,
  };
}

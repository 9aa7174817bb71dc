import { noDetails, type PackageSite, type PackageUse, type Role } from '../language-reader.js';
import type { PlacedReference, ReadSource } from './parse/read-sources.js';
import type { Reference } from './parse/reference.js';
import type { Resolution } from './resolve/resolver.js';

export interface ResolvedReference extends PlacedReference {
  readonly resolution: Resolution;
}

export interface ResolvedSource extends Omit<ReadSource, 'references'> {
  readonly references: readonly ResolvedReference[];
}

export interface UseContext {
  readonly isPackage: (name: string) => boolean;
  readonly lockedNames: ReadonlySet<string>;
  /** The role in which the file uses a package. */
  readonly roleOf: (packageName: string) => Role;
  readonly reached: boolean;
  /** Completes the references that were not read in full. */
  readonly readInFull: () => void;
}

/** The uses of packages in a source file, with those of the type packages that TypeScript reads for them. */
export function usesIn({ path, kind, references }: ResolvedSource, context: UseContext): PackageUse[] {
  const { isPackage, lockedNames, roleOf, reached, readInFull } = context;
  const uses: PackageUse[] = [];
  const add = (packageName: string, site: PackageSite) => uses.push({ ecosystem: 'npm', packageName, site });
  const typePackages = new Set<string>();
  for (const { reference, resolution, line, column } of references) {
    const { typeOnly, mock } = reference;
    const place = { file: path, line, column, kind: reference.kind, reached };
    const found = resolution.package;
    if (found !== null && isPackage(found.name))
      add(
        found.name,
        withSymbols(
          { ...place, role: roleOf(found.name), typeOnly, mock, subpath: found.subpath },
          reference,
          readInFull,
        ),
      );
    // The types of a package that publishes none: https://github.com/DefinitelyTyped/DefinitelyTyped
    const types = resolution.builtin ? '@types/node' : `@types/${found?.name.replace(/^@([^/]+)\//, '$1__')}`;
    if (!kind.typescript || mock || typePackages.has(types) || !lockedNames.has(types)) continue;
    typePackages.add(types);
    add(types, { ...place, role: roleOf(types), ...noDetails, typeOnly: true });
  }
  return uses;
}

/** Adds the symbols. Those of most files outside of production are never asked for, so they are read on demand. */
function withSymbols(
  site: Omit<PackageSite, 'symbols' | 'symbolsComplete'>,
  reference: Reference,
  readInFull: () => void,
): PackageSite {
  if (!reference.symbolsUnread)
    return { ...site, symbols: [...reference.symbols].sort(), symbolsComplete: reference.symbolsComplete };
  const complete = () => {
    if (reference.symbolsUnread) readInFull();
    return reference;
  };
  return {
    ...site,
    get symbols() {
      return [...complete().symbols].sort();
    },
    get symbolsComplete() {
      return complete().symbolsComplete;
    },
  };
}

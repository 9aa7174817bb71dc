import type { EcmaScriptModule, ParseResult } from 'oxc-parser';
import type { SourceKind } from '../source-kinds.js';
import type { Binding } from '../syntax-tree/scopes.js';
import type { ImportBindings } from '../syntax-tree/tree-references.js';
import { newReference, type Reference } from './reference.js';

/** The references of a module that are known without its syntax tree. */
export interface ModuleRecord {
  readonly references: readonly Reference[];
  readonly imports: ImportBindings;
}

const importType = /\bimport\s*\(\s*(["'])([^"'\n]+)\1\s*\)(?:\s*\.\s*([\w$]+))?/g;

const typeReference = /^\/?\s*<reference\s+types\s*=\s*["']([^"']+)["']/;

/** Reads static imports and exports, import types (`import('a').B`), and `/// <reference types="a" />`. */
export function readRecord(text: string, result: ParseResult, kind: SourceKind): ModuleRecord {
  const { references, imports } = readStaticImports(result.module, kind);
  addReexports(references, result.module, kind);
  if (text.includes('<reference')) {
    for (const { type, value, start } of result.comments) {
      const types = type === 'Line' ? typeReference.exec(value)?.[1] : undefined;
      if (types !== undefined)
        references.push(newReference('import', types, start + 2 + value.indexOf(types), { typeOnly: true }));
    }
  }
  if (kind.typescript) for (const reference of importTypes(text, result)) references.push(reference);
  return { references, imports };
}

/** Finds import types by a pattern, because the parser is asked for a tree without types: it is half as large. */
function importTypes(text: string, result: ParseResult): Reference[] {
  const matches = Array.from(text.matchAll(importType));
  if (matches.length === 0) return [];
  const { comments } = result;
  const dynamicImports = new Set(result.module.dynamicImports.map(({ start }) => start));
  return matches.flatMap((match) => {
    const [whole, quote = '', specifier = '', name] = match;
    if (dynamicImports.has(match.index)) return [];
    if (comments.some(({ start, end }) => start <= match.index && match.index < end)) return [];
    const offset = match.index + whole.indexOf(quote);
    const reference = newReference('import', specifier, offset, { typeOnly: true });
    if (name !== undefined) reference.symbols.add(name);
    return [reference];
  });
}

function readStaticImports(
  { staticImports }: EcmaScriptModule,
  kind: SourceKind,
): { references: Reference[]; imports: ImportBindings } {
  const references: Reference[] = [];
  const imports = new Map<string, Binding>();
  for (const { moduleRequest, entries } of staticImports) {
    const typeOnly = kind.lang === 'dts' || (entries.length > 0 && entries.every(({ isType }) => isType));
    const reference = newReference('import', moduleRequest.value, moduleRequest.start, { typeOnly });
    references.push(reference);
    // What is loaded for its effect alone may leave its functions anywhere: jQuery in a global name, a polyfill.
    if (entries.length === 0) reference.symbolsComplete = false;
    for (const { importName, localName, isType } of entries) {
      if (isType && !typeOnly) continue;
      const name = importName.kind === 'Name' && importName.name !== 'default' ? importName.name : null;
      if (name !== null) reference.symbols.add(name);
      if (!isType && name === null) reference.isWhole = true;
      if (!isType) imports.set(localName.value, { kind: name === null ? 'module' : 'export', reference });
      else if (name === null) reference.symbolsComplete = false;
    }
  }
  return { references, imports };
}

function addReexports(references: Reference[], { staticExports }: EcmaScriptModule, kind: SourceKind): void {
  // The record has `import a from 'a'; export { a }` as an import and as a re-export. The offset shows that it is one.
  const byOffset = new Map(references.map((reference) => [reference.offset, reference]));
  for (const { entries } of staticExports) {
    for (const { moduleRequest, importName, isType } of entries) {
      if (moduleRequest === null) continue;
      let reference = byOffset.get(moduleRequest.start);
      if (reference === undefined) {
        const typeOnly = kind.lang === 'dts' || entries.every((entry) => entry.isType);
        reference = newReference('reexport', moduleRequest.value, moduleRequest.start, { typeOnly });
        byOffset.set(moduleRequest.start, reference);
        references.push(reference);
      }
      if (isType && !reference.typeOnly) continue;
      if (importName.kind === 'Name' && importName.name !== null) reference.symbols.add(importName.name);
      else reference.symbolsComplete = false;
    }
  }
}

import type { EcmaScriptModule, ParseResult } from 'oxc-parser';
import type { SourceKind } from '../source-kinds.js';
import type { Binding } from '../syntax-tree/scopes.js';
import type { Imported } from '../syntax-tree/tree-references.js';
import { newReference, type Reference } from './reference.js';

/** What a module says of others without its syntax tree. */
export interface ModuleRecord {
  readonly references: readonly Reference[];
  readonly imported: Imported;
}

const importType = /\bimport\s*\(\s*(["'])([^"'\n]+)\1\s*\)(?:\s*\.\s*([\w$]+))?/g;

const typeReference = /^\/?\s*<reference\s+types\s*=\s*["']([^"']+)["']/;

/** Reads static imports and exports, `import('a').B` where a type stands, and `/// <reference types="a" />`. */
export function readRecord(text: string, result: ParseResult, kind: SourceKind): ModuleRecord {
  const { references, imported } = staticReferences(result.module, kind);
  if (text.includes('<reference')) {
    for (const { type, value, start } of result.comments) {
      const types = type === 'Line' ? typeReference.exec(value)?.[1] : undefined;
      if (types !== undefined)
        references.push(newReference('import', types, start + 2 + value.indexOf(types), { typeOnly: true }));
    }
  }
  if (kind.typescript) for (const reference of importTypes(text, result)) references.push(reference);
  return { references, imported };
}

/** `import('a').B` where a type stands: the tree is asked for without its types, which makes it half as large. */
function importTypes(text: string, result: ParseResult): Reference[] {
  const matches = Array.from(text.matchAll(importType));
  if (matches.length === 0) return [];
  const { comments } = result;
  const dynamic = new Set(result.module.dynamicImports.map(({ start }) => start));
  return matches.flatMap((match) => {
    const [whole, quote = '', specifier = '', name] = match;
    if (dynamic.has(match.index)) return [];
    if (comments.some(({ start, end }) => start <= match.index && match.index < end)) return [];
    const offset = match.index + whole.indexOf(quote);
    const reference = newReference('import', specifier, offset, { typeOnly: true });
    if (name !== undefined) reference.symbols.add(name);
    return [reference];
  });
}

function staticReferences(record: EcmaScriptModule, kind: SourceKind): { references: Reference[]; imported: Imported } {
  const references: Reference[] = [];
  const imported = new Map<string, Binding>();
  for (const { moduleRequest, entries } of record.staticImports) {
    const typeOnly = kind.lang === 'dts' || (entries.length > 0 && entries.every(({ isType }) => isType));
    const reference = newReference('import', moduleRequest.value, moduleRequest.start, { typeOnly });
    references.push(reference);
    for (const { importName, localName, isType } of entries) {
      if (isType && !typeOnly) continue;
      const name = importName.kind === 'Name' && importName.name !== 'default' ? importName.name : null;
      const named = name !== null;
      if (named) reference.symbols.add(name);
      if (!isType) imported.set(localName.value, { is: named ? 'export' : 'module', reference });
      else if (!named) reference.symbolsComplete = false;
    }
  }
  // The record tells of `import a from 'a'; export { a }` as both: by the place of the specifier they are one.
  const bySpecifier = new Map(references.map((reference) => [reference.offset, reference]));
  for (const { entries } of record.staticExports) {
    for (const { moduleRequest, importName, isType } of entries) {
      if (moduleRequest === null) continue;
      let reference = bySpecifier.get(moduleRequest.start);
      if (reference === undefined) {
        const typeOnly = kind.lang === 'dts' || entries.every((entry) => entry.isType);
        reference = newReference('reexport', moduleRequest.value, moduleRequest.start, { typeOnly });
        bySpecifier.set(moduleRequest.start, reference);
        references.push(reference);
      }
      if (isType && !reference.typeOnly) continue;
      if (importName.kind === 'Name' && importName.name !== null) reference.symbols.add(importName.name);
      else reference.symbolsComplete = false;
    }
  }
  return { references, imported };
}

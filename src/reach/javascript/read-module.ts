import { type EcmaScriptModule, type ParseResult, type ParserOptions, parseSync } from 'oxc-parser';
import { fallbackReferences } from './fallback.js';
import { nestsTooDeeply } from './nesting.js';
import { type ModuleFacts, newReference, type Reference } from './reference.js';
import type { Binding } from './scopes.js';
import type { SourceKind } from './source-kinds.js';
import { isNode } from './syntax.js';
import { type Imported, readTree } from './tree-references.js';

/** What the project's configuration says of how its files are compiled. */
export interface ReadOptions {
  /** TypeScript drops imports whose names are used as types alone (not with `verbatimModuleSyntax`). */
  readonly erases: boolean;
}

/** What in a text asks for the syntax tree; the module record tells of static imports and exports. */
const needsTree =
  /\brequire\b\s*[(.)\],;=]|createRequire|import\.meta\.resolve|\b(?:vi|jest|vitest|td|mock)\s*\.\s*\w*(?:mock|Mock|Actual|replace|module)|new\s+(?:URL|Worker)\s*\(|proxyquire|\bdefine\s*\(/;

/** A text without any of these words names no other module, so that it needs no parser. */
const mayRefer = /\b(?:import\w*|from|require\w*|createRequire|define|proxyquire|Worker|URL|mock\w*)\b|<reference/;

const importType = /\bimport\s*\(\s*(["'])([^"'\n]+)\1\s*\)(?:\s*\.\s*([\w$]+))?/g;

/** Decorators of parameters, which the tree without types does not have. */
const parameterDecorator = /[(,]\s*@[A-Za-z_$][\w$.]*\s*\(/;

const typeReference = /^\/?\s*<reference\s+types\s*=\s*["']([^"']+)["']/;

/** Reads one script: its references to other modules, with their place in it. */
export function readModule(text: string, kind: SourceKind, { erases }: ReadOptions): ModuleFacts {
  if (!mayRefer.test(text)) return { references: [], unknownDynamic: 0, parsed: true };
  const result = nestsTooDeeply(text) ? null : parse(text, kind);
  if (result === null) return fallbackReferences(text);
  const { references, imported } = staticReferences(result.module, kind);
  for (const { type, value, start } of result.comments) {
    const types = type === 'Line' ? typeReference.exec(value)?.[1] : undefined;
    if (types !== undefined)
      references.push(newReference('import', types, start + 2 + value.indexOf(types), { typeOnly: true }));
  }
  if (kind.typescript) for (const reference of importTypes(text, result)) references.push(reference);
  if (kind.lang === 'dts') return { references, unknownDynamic: 0, parsed: true };
  const mayErase = erases && kind.typescript;
  const wholes = [...imported.values()].some((binding) => binding.is === 'module' && isOutside(binding.reference));
  const asked =
    wholes ||
    result.module.dynamicImports.length > 0 ||
    needsTree.test(text) ||
    (mayErase && mayHoldTypesAlone(text, imported));
  const program: unknown = asked ? result.program : null;
  if (!isNode(program)) return { references, unknownDynamic: 0, parsed: true };
  const found = readTree(program, imported);
  if (mayErase && !parameterDecorator.test(text)) for (const reference of found.erased) reference.typeOnly = true;
  const mocked = new Set(found.references.filter(({ mock }) => mock).map(({ offset }) => offset));
  const inTree = found.references.filter(({ mock, offset, kind }) => mock || kind !== 'dynamic' || !mocked.has(offset));
  return { references: [...references, ...inTree], unknownDynamic: found.unknownDynamic, parsed: true };
}

/** `import('a').B` where a type stands: the tree is asked for without its types, which makes it half as large. */
function importTypes(text: string, { comments, module }: ParseResult): Reference[] {
  const dynamic = new Set(module.dynamicImports.map(({ start }) => start));
  return Array.from(text.matchAll(importType)).flatMap((match) => {
    const [whole, quote = '', specifier = '', name] = match;
    if (dynamic.has(match.index)) return [];
    if (comments.some(({ start, end }) => start <= match.index && match.index < end)) return [];
    const offset = match.index + whole.indexOf(quote);
    const reference = newReference('import', specifier, offset, { typeOnly: true });
    if (name !== undefined) reference.symbols.add(name);
    return [reference];
  });
}

/** Parses as what the file's name says; else as CommonJS, as TypeScript, as Flow. Null where all of them give up. */
function parse(text: string, { lang }: SourceKind): ParseResult | null {
  const base: ParserOptions = { preserveParens: false, astType: 'js', lang };
  const first = parseSync('module', text, base);
  if (first.errors.length === 0) return first;
  const attempts = [first];
  const others: readonly (readonly [string, ParserOptions])[] =
    lang === 'jsx'
      ? [
          [text, { ...base, sourceType: 'commonjs' }],
          [withoutFlow(text), { ...base, lang: 'tsx' }],
        ]
      : [[text, { ...base, lang: lang === 'ts' ? 'tsx' : 'ts' }]];
  for (const [source, options] of others) {
    const attempt = parseSync('module', source, options);
    if (attempt.errors.length === 0) return attempt;
    attempts.push(attempt);
  }
  // The parser recovers from errors that leave the tree whole, such as a `return` outside of functions.
  return attempts.find(({ program }) => program.body.length > 0) ?? null;
}

/** Flow's own forms, turned into TypeScript's of the same length. */
function withoutFlow(text: string): string {
  return text
    .replace(/@(?:no)?flow\b/g, (pragma) => pragma.replace('f', '_'))
    .replace(/\bimport typeof\b/g, 'import type  ')
    .replace(/([{,]\s*)typeof(?= \w+\s*[,}])/g, '$1type  ')
    .replaceAll('{|', '{ ')
    .replaceAll('|}', ' }');
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

/** Whether the specifier may name a package: symbols are read of packages, not of the project's own files. */
function isOutside({ specifier, typeOnly }: Reference): boolean {
  return !typeOnly && typeof specifier === 'string' && !specifier.startsWith('.');
}

/** Whether some import has no name that is plainly called, so that only the tree can tell whether it is erased. */
function mayHoldTypesAlone(text: string, imported: Imported): boolean {
  const sure = new Set<Reference>();
  const all = new Set<Reference>();
  for (const [name, binding] of imported) {
    if (binding.is !== 'module' && binding.is !== 'export') continue;
    all.add(binding.reference);
    if (!sure.has(binding.reference) && isPlainlyCalled(text, name)) sure.add(binding.reference);
  }
  return sure.size < all.size;
}

const identifier = /[\w$\u0080-\uffff]/;

/** `name(` or `name.member(`, where nothing before it makes it a member or a longer name. */
function isPlainlyCalled(text: string, name: string): boolean {
  const call = /(?:\.[\w$]+)?\(/y;
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + name.length)) {
    const before = at === 0 ? ' ' : (text[at - 1] ?? ' ');
    if (before === '.' || identifier.test(before)) continue;
    call.lastIndex = at + name.length;
    if (call.test(text)) return true;
  }
  return false;
}

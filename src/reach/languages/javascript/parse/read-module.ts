import type { SourceKind } from '../source-kinds.js';
import { isNode } from '../syntax-tree/nodes.js';
import { readTree } from '../syntax-tree/tree-references.js';
import { perhapsErased } from './erasure.js';
import { headOf } from './module-head.js';
import { type ModuleRecord, readRecord } from './module-record.js';
import { nestsTooDeeply } from './nesting.js';
import { parse, parsePlainly } from './parser.js';
import { fallbackReferences } from './pattern-references.js';
import type { ModuleFacts, Reference } from './reference.js';

/** How a module is read. */
export interface ReadOptions {
  /** TypeScript drops imports whose names are used as types alone (not with `verbatimModuleSyntax`). */
  readonly erases: boolean;
  /** Whether a specifier names a package, not a file of the project. */
  readonly isPackage: (specifier: string) => boolean;
  /**
   * What is read although it needs the syntax tree, which is most of the work: with `imports`, whether imports of packages
   * are erased; with `packages`, also what is used of packages that are imported as a whole; with `all`, also whether
   * imports of the project's own files are erased. The rest is left `unread` and `unsettled`.
   */
  readonly depth: 'imports' | 'packages' | 'all';
}

/**
 * What in a text asks for the syntax tree; the module record tells of static imports and exports. Before the pattern a
 * part of it, where that is found faster.
 */
const askForTree: readonly (readonly [string, RegExp])[] = [
  ['quire', /\brequire\b\s*[(.)\],;=]|createRequire|proxyquire/],
  ['Worker', /new\s+Worker\s*\(/],
  ['import.meta', /import\.meta\.resolve|new\s+URL\s*\(/],
  ['', /\bdefine\s*\(/],
  ['', /\b(?:vi(?:test)?|jest|td|mock)\s*\.\s*\w*(?:mock|Mock|Actual|replace|module)/],
];

/** A text without any of these words names no other module, so that it needs no parser. */
const mayRefer = /\b(?:import\w*|from|require\w*|createRequire|define|proxyquire|Worker|URL|mock\w*)\b|<reference/;

/** Decorators of parameters, which the tree without types does not have. */
const parameterDecorator = /[(,]\s*@[A-Za-z_$][\w$.]*\s*\(/;

/** Of the text: a head that is longer saves too little to risk that the whole is parsed after it. */
const longestHead = 0.75;

const nothing: ModuleFacts = { references: [], unknownDynamic: 0, parsed: true };

/** Reads one script: its references to other modules, with their place in it. */
export function readModule(text: string, kind: SourceKind, options: ReadOptions): ModuleFacts {
  if (!mayRefer.test(text)) return nothing;
  const asksForTree =
    kind.lang !== 'dts' && askForTree.some(([part, pattern]) => text.includes(part) && pattern.test(text));
  return (asksForTree ? null : readHead(text, kind, options)) ?? readWhole(text, kind, options, asksForTree);
}

/** Reads of a module the part that has its static imports. Null where that is not enough. */
function readHead(text: string, kind: SourceKind, options: ReadOptions): ModuleFacts | null {
  const head = headOf(text);
  if (head === '') return nothing;
  if (head.length > text.length * longestHead || nestsTooDeeply(head)) return null;
  const result = parsePlainly(head, kind);
  if (result === null || result.module.dynamicImports.length > 0) return null;
  const record = readRecord(head, result, kind);
  return isRecordEnough(text, record, kind, options) ? { ...nothing, references: record.references } : null;
}

function readWhole(text: string, kind: SourceKind, options: ReadOptions, asksForTree: boolean): ModuleFacts {
  const result = nestsTooDeeply(text) ? null : parse(text, kind);
  if (result === null) return fallbackReferences(text);
  const record = readRecord(text, result, kind);
  const isEnough =
    kind.lang === 'dts' ||
    (!asksForTree && result.module.dynamicImports.length === 0 && isRecordEnough(text, record, kind, options));
  const program: unknown = isEnough ? null : result.program;
  if (!isNode(program)) return { ...nothing, references: record.references };
  const found = readTree(program, record.imported);
  if (options.erases && kind.typescript && found.erased.size > 0 && !parameterDecorator.test(text))
    for (const reference of found.erased) reference.typeOnly = true;
  const mocked = new Set(found.references.filter(({ mock }) => mock).map(({ offset }) => offset));
  const inTree = found.references.filter(({ mock, offset, kind }) => mock || kind !== 'dynamic' || !mocked.has(offset));
  return { references: [...record.references, ...inTree], unknownDynamic: found.unknownDynamic, parsed: true };
}

/** Whether nothing is asked for that only the tree tells. Marks the references of which it would tell more. */
function isRecordEnough(
  text: string,
  { imported }: ModuleRecord,
  kind: SourceKind,
  { erases, isPackage, depth }: ReadOptions,
): boolean {
  if (kind.lang === 'dts') return true;
  const ofPackage = ({ specifier }: Reference) => typeof specifier === 'string' && isPackage(specifier);
  const wholes = [...imported.values()].flatMap((binding) =>
    binding.is === 'module' && !binding.reference.typeOnly && ofPackage(binding.reference) ? binding.reference : [],
  );
  if (wholes.length > 0 && depth !== 'imports') return false;
  const open = erases && kind.typescript ? perhapsErased(text, imported) : [];
  if (open.some((reference) => depth === 'all' || ofPackage(reference))) return false;
  for (const reference of wholes) reference.unread = true;
  for (const reference of open) reference.unsettled = true;
  return true;
}

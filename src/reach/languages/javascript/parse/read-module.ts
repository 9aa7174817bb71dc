import type { SourceKind } from '../source-kinds.js';
import { readTree } from '../syntax-tree/tree-references.js';
import { possiblyErased } from './erasure.js';
import { headOf } from './module-head.js';
import { type ModuleRecord, readRecord } from './module-record.js';
import { nestsTooDeeply } from './nesting.js';
import { parseStrictly } from './parser.js';
import { referencesByPattern } from './pattern-references.js';
import type { ModuleFacts, Reference } from './reference.js';
import type { Script } from './script.js';

export interface ReadOptions {
  /** Whether TypeScript erases imports whose names are used as types only (not with `verbatimModuleSyntax`). */
  readonly erases: boolean;
  /** Whether a specifier names a package, not a file of the project. */
  readonly isPackage: (specifier: string) => boolean;
  /**
   * For what the syntax tree is read; walking it is most of the work.
   * - `imports`: whether imports of packages are erased.
   * - `packages`: also the symbols of packages that are imported as a whole.
   * - `all`: also whether imports of the project's files are erased.
   *
   * The rest stays marked `symbolsUnread` and `erasureUnknown`.
   */
  readonly depth: 'imports' | 'packages' | 'all';
}

/**
 * Code whose references only the syntax tree has; the module record has static imports and exports. The text is searched
 * for the string first, where that is faster than the pattern.
 */
const treeOnly: readonly (readonly [string, RegExp])[] = [
  ['quire', /\brequire\b\s*[(.)\],;:=|}]|createRequire|proxyquire|__non_webpack_require__/],
  ['importScripts', /\bimportScripts\s*\(/],
  ['Worker', /new\s+Worker\s*\(/],
  ['import.meta', /import\.meta\.resolve|new\s+URL\s*\(/],
  ['', /\bdefine\s*\(/],
  ['', /\b(?:vi(?:test)?|jest|td|mock)\s*\.\s*\w*(?:mock|Mock|Actual|replace|module)/],
];

/** A text without any of these words names no other module and need not be parsed. */
const moduleWord =
  /\b(?:import\w*|from|require\w*|__non_webpack_require__|createRequire|define|proxyquire|Worker|URL|mock\w*)\b|<reference/;

/** Decorators of parameters: the tree without types does not have them. */
const parameterDecorator = /[(,]\s*@[A-Za-z_$][\w$.]*\s*\(/;

/** Share of the text. Parsing a longer head saves little, and the whole text may have to be parsed after it. */
const maxHeadShare = 0.75;

const noReferences: ModuleFacts = { references: [], parsed: true };

export function readModule(script: Script, options: ReadOptions): ModuleFacts {
  const { text, kind } = script;
  if (!moduleWord.test(text)) return noReferences;
  const needsTree =
    kind.lang !== 'dts' && treeOnly.some(([part, pattern]) => text.includes(part) && pattern.test(text));
  return (needsTree ? null : readHead(text, kind, options)) ?? readWhole(script, options, needsTree);
}

/** Reads only the part of a module that has its static imports. Null if that is not enough. */
function readHead(text: string, kind: SourceKind, options: ReadOptions): ModuleFacts | null {
  const head = headOf(text);
  if (head === '') return noReferences;
  if (head.length > text.length * maxHeadShare || nestsTooDeeply(head)) return null;
  const result = parseStrictly(head, kind);
  if (result === null || result.module.dynamicImports.length > 0) return null;
  const record = readRecord(head, result, kind);
  return isRecordEnough(text, record, kind, options) ? { ...noReferences, references: record.references } : null;
}

function readWhole(script: Script, options: ReadOptions, needsTree: boolean): ModuleFacts {
  const { text, kind, parsed: result } = script;
  if (result === null) return referencesByPattern(text);
  const record = readRecord(text, result, kind);
  const isEnough =
    kind.lang === 'dts' ||
    (!needsTree && result.module.dynamicImports.length === 0 && isRecordEnough(text, record, kind, options));
  const program = isEnough ? null : script.program;
  if (program === null) return { ...noReferences, references: record.references };
  const tree = readTree(program, record.imports);
  if (options.erases && kind.typescript && tree.erased.size > 0 && !parameterDecorator.test(text))
    for (const reference of tree.erased) reference.typeOnly = true;
  // `vi.mock(import('a'))` only mocks the module.
  const mocked = new Set(tree.references.filter(({ mock }) => mock).map(({ offset }) => offset));
  const inTree = tree.references.filter(({ mock, offset, kind }) => mock || kind !== 'dynamic' || !mocked.has(offset));
  return { references: [...record.references, ...inTree], parsed: true };
}

/** Whether the module record answers all that the options ask for. If so, marks the references left incomplete. */
function isRecordEnough(
  text: string,
  { imports }: ModuleRecord,
  kind: SourceKind,
  { erases, isPackage, depth }: ReadOptions,
): boolean {
  if (kind.lang === 'dts') return true;
  const namesPackage = ({ specifier }: Reference) => typeof specifier === 'string' && isPackage(specifier);
  const wholePackages = [...imports.values()].flatMap((binding) =>
    binding.kind === 'module' && !binding.reference.typeOnly && namesPackage(binding.reference)
      ? binding.reference
      : [],
  );
  if (wholePackages.length > 0 && depth !== 'imports') return false;
  const undecided = erases && kind.typescript ? possiblyErased(text, imports) : [];
  if (undecided.some((reference) => depth === 'all' || namesPackage(reference))) return false;
  for (const reference of wholePackages) reference.symbolsUnread = true;
  for (const reference of undecided) reference.erasureUnknown = true;
  return true;
}

import { setImmediate as nextMacrotask } from 'node:timers/promises';
import { type Position, positionsIn } from '../../positions.js';
import type { SourceTree } from '../../source-tree.js';
import { folderOf } from '../../tree-path.js';
import { type LoadedByName, loadedByName } from '../entries/loaded-by-name.js';
import type { CompilerOptions } from '../project/compiler-options.js';
import { roleOf } from '../roles.js';
import { type SourceKind, sourceKindOf } from '../source-kinds.js';
import { type ReadOptions, readModule } from './read-module.js';
import type { Reference } from './reference.js';
import { scriptBlocks } from './script-blocks.js';

export interface PlacedReference extends Position {
  readonly reference: Reference;
}

export interface ReadSource {
  readonly path: string;
  readonly kind: SourceKind;
  readonly references: readonly PlacedReference[];
  readonly loads: readonly PlacedLoad[];
}

/** What a file loads by name, and the line that says so. */
export interface PlacedLoad extends LoadedByName {
  readonly line: number;
}

export interface ReadSources {
  readonly sources: readonly ReadSource[];
  readonly bytes: number;
  /** Paths of files that could not be parsed, and of those that are too large, binary or not readable. */
  readonly unparsed: readonly string[];
  readonly parseErrors: number;
  readonly unknownDynamic: number;
}

/**
 * Files, and their bytes, that are read before yielding to the event loop. The parser frees its memory only then, and it
 * takes some ten times the size of the source.
 */
const filesPerBatch = 32;
const bytesPerBatch = 2 * 1024 * 1024;

/** What reading a source needs to know of its project. */
export interface ReadingContext {
  readonly compilerOptions: (folder: string) => CompilerOptions | null;
  /** Whether a specifier in a file names a package whose symbols are to be read. */
  readonly namesPackage: (specifier: string, path: string) => boolean;
}

/** Reads every source file of the tree once, without keeping texts. `readInFull` completes the references of one file. */
export async function readSources(tree: SourceTree, context: ReadingContext): Promise<ReadSources> {
  const sources: ReadSource[] = [];
  let bytes = 0;
  const unparsed: string[] = [];
  let parseErrors = 0;
  let unknownDynamic = 0;
  let filesInBatch = 0;
  let bytesInBatch = 0;
  for (const file of tree.files) {
    const kind = sourceKindOf(file.path);
    if (kind === null) continue;
    const text = tree.read(file.path);
    if (text === null) {
      unparsed.push(file.path);
      continue;
    }
    bytes += file.bytes;
    // The symbols used in production decide the result. Of other files, a report shows only some sites.
    const depth = roleOf(file.path) === 'prod' ? 'packages' : 'imports';
    const found = readSource(file.path, text, kind, depth, context);
    unknownDynamic += found.unknownDynamic;
    if (!found.parsed) {
      parseErrors++;
      unparsed.push(file.path);
    }
    sources.push({ path: file.path, kind, references: found.references, loads: found.loads });
    filesInBatch++;
    bytesInBatch += file.bytes;
    if (filesInBatch < filesPerBatch && bytesInBatch < bytesPerBatch) continue;
    filesInBatch = 0;
    bytesInBatch = 0;
    await nextMacrotask();
  }
  return { sources, bytes, unparsed, parseErrors, unknownDynamic };
}

function readSource(
  path: string,
  text: string,
  kind: SourceKind,
  depth: ReadOptions['depth'],
  { compilerOptions, namesPackage }: ReadingContext,
) {
  const erases = kind.blocks === 'none' && compilerOptions(folderOf(path))?.keepsTypeImports !== true;
  const options = { erases, isPackage: (specifier: string) => namesPackage(specifier, path), depth };
  const positionOf = positionsIn(text);
  const references: PlacedReference[] = [];
  const loads: PlacedLoad[] = [];
  let parsed = true;
  let unknownDynamic = 0;
  for (const block of scriptBlocks(text, kind)) {
    const facts = readModule(block.text, kind, options);
    parsed &&= facts.parsed;
    unknownDynamic += facts.unknownDynamic;
    for (const load of loadedByName(block.text, kind))
      loads.push({ ...load, line: positionOf(block.offset + load.offset).line });
    for (const reference of facts.references) {
      references.push({ reference, ...positionOf(block.offset + reference.offset) });
    }
  }
  return { references, loads, parsed, unknownDynamic };
}

/** Reads a source again with its syntax tree, and completes the references that the first reading left incomplete. */
export function readInFull(tree: SourceTree, { path, kind, references }: ReadSource, context: ReadingContext): void {
  // A file that was deleted meanwhile keeps its first references.
  const text = tree.read(path) ?? '';
  const keyOf = ({ line, column }: Position) => `${line}:${column}`;
  const found = readSource(path, text, kind, 'all', context).references;
  const complete = new Map(found.map((placed) => [keyOf(placed), placed.reference]));
  for (const placed of references) {
    const { reference } = placed;
    if (!reference.erasureUnknown && !reference.symbolsUnread) continue;
    const { typeOnly, symbols, symbolsComplete } = complete.get(keyOf(placed)) ?? {
      ...reference,
      symbolsComplete: false,
    };
    reference.typeOnly = typeOnly;
    for (const symbol of symbols) reference.symbols.add(symbol);
    reference.symbolsComplete = symbolsComplete;
    reference.erasureUnknown = false;
    reference.symbolsUnread = false;
  }
}

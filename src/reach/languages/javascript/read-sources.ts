import { setImmediate as nextMacrotask } from 'node:timers/promises';
import type { SourceTree } from '../source-tree.js';
import type { CompilerOptions } from './compiler-options.js';
import { type Position, positionsIn } from './positions.js';
import { type ReadOptions, readModule } from './read-module.js';
import type { Reference } from './reference.js';
import { roleOf } from './roles.js';
import { scriptBlocks } from './script-blocks.js';
import { type SourceKind, sourceKindOf } from './source-kinds.js';
import { folderOf } from './tree-paths.js';

/** A reference with its place in the file. */
export interface PlacedReference extends Position {
  readonly reference: Reference;
}

/** A source file that was read. */
export interface ReadSource {
  readonly path: string;
  readonly kind: SourceKind;
  readonly references: readonly PlacedReference[];
}

/** All that was read of the sources of a tree. */
export interface ReadSources {
  readonly sources: readonly ReadSource[];
  readonly bytes: number;
  /** Paths of files that no parser took, and of those that are too large, binary or not to be read. */
  readonly unparsed: readonly string[];
  readonly parseErrors: number;
  readonly unknownDynamic: number;
}

/**
 * Files, and bytes of them, after which the event loop gets its turn: the parser keeps what it made of each file until
 * then, and with it some ten times the size of the source.
 */
const filesPerTurn = 32;
const bytesPerTurn = 2 * 1024 * 1024;

/** What the sources are read beside. */
export interface ReadingContext {
  readonly compilerOptions: (folder: string) => CompilerOptions | null;
  /** Whether a specifier of a file names a package of which it counts how it is used. */
  readonly namesPackage: (specifier: string, path: string) => boolean;
}

/** Reads every source file of the tree once. Texts are not kept; what is left open of a source, `readAgain` closes. */
export async function readSources(tree: SourceTree, context: ReadingContext): Promise<ReadSources> {
  const sources: ReadSource[] = [];
  let bytes = 0;
  const unparsed: string[] = [];
  let parseErrors = 0;
  let unknownDynamic = 0;
  let filesOfTurn = 0;
  let bytesOfTurn = 0;
  for (const file of tree.files) {
    const kind = sourceKindOf(file.path);
    if (kind === null) continue;
    const text = tree.read(file.path);
    if (text === null) {
      unparsed.push(file.path);
      continue;
    }
    bytes += file.bytes;
    // What is used of a package counts in production; of other files a report tells it for some of their places.
    const depth = roleOf(file.path) === 'prod' ? 'packages' : 'imports';
    const found = readSource(file.path, text, kind, depth, context);
    unknownDynamic += found.unknownDynamic;
    if (!found.parsed) {
      parseErrors++;
      unparsed.push(file.path);
    }
    sources.push({ path: file.path, kind, references: found.references });
    filesOfTurn++;
    bytesOfTurn += file.bytes;
    if (filesOfTurn < filesPerTurn && bytesOfTurn < bytesPerTurn) continue;
    filesOfTurn = 0;
    bytesOfTurn = 0;
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
  let parsed = true;
  let unknownDynamic = 0;
  for (const block of scriptBlocks(text, kind)) {
    const facts = readModule(block.text, kind, options);
    parsed &&= facts.parsed;
    unknownDynamic += facts.unknownDynamic;
    for (const reference of facts.references) {
      references.push({ reference, ...positionOf(block.offset + reference.offset) });
    }
  }
  return { references, parsed, unknownDynamic };
}

/** Reads a source wholly, so that nothing of its references is left open. */
export function readAgain(tree: SourceTree, { path, kind, references }: ReadSource, context: ReadingContext): void {
  // A file that is gone by now has what was read of it before.
  const text = tree.read(path) ?? '';
  const placeOf = ({ line, column }: Position) => `${line}:${column}`;
  const found = readSource(path, text, kind, 'all', context).references;
  const whole = new Map(found.map((placed) => [placeOf(placed), placed.reference]));
  for (const placed of references) {
    const { reference } = placed;
    if (!reference.unsettled && !reference.unread) continue;
    const { typeOnly, symbols, symbolsComplete } = whole.get(placeOf(placed)) ?? {
      ...reference,
      symbolsComplete: false,
    };
    reference.typeOnly = typeOnly;
    for (const symbol of symbols) reference.symbols.add(symbol);
    reference.symbolsComplete = symbolsComplete;
    reference.unsettled = false;
    reference.unread = false;
  }
}

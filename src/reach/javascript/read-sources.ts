import { setImmediate as nextMacrotask } from 'node:timers/promises';
import type { SourceTree } from '../analysis/language.js';
import type { CompilerOptions } from './compiler-options.js';
import { isMinified } from './minified.js';
import { type Position, positionsIn } from './positions.js';
import { readModule } from './read-module.js';
import type { Reference } from './reference.js';
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
  readonly parseErrors: number;
  readonly skipped: number;
  readonly unknownDynamic: number;
}

/**
 * Files after which the event loop gets its turn: the parser keeps what it made of each file until then, and with it some
 * ten times the size of the source.
 */
const filesPerTurn = 32;

/** Reads every source file of the tree once. Texts are not kept. */
export async function readSources(
  tree: SourceTree,
  compilerOptions: (folder: string) => CompilerOptions | null,
): Promise<ReadSources> {
  const sources: ReadSource[] = [];
  let bytes = 0;
  let parseErrors = 0;
  let skipped = 0;
  let unknownDynamic = 0;
  let read = 0;
  for (const file of tree.files) {
    const kind = sourceKindOf(file.path);
    if (kind === null) continue;
    const text = await tree.read(file.path);
    if (text === null || isMinified(file.path, text)) {
      skipped++;
      continue;
    }
    bytes += file.bytes;
    const erases = kind.blocks === 'none' && compilerOptions(folderOf(file.path))?.keepsTypeImports !== true;
    const positionOf = positionsIn(text);
    const references: PlacedReference[] = [];
    let parsed = true;
    for (const block of scriptBlocks(text, kind)) {
      const facts = readModule(block.text, kind, { erases });
      parsed &&= facts.parsed;
      unknownDynamic += facts.unknownDynamic;
      for (const reference of facts.references) {
        references.push({ reference, ...positionOf(block.offset + reference.offset) });
      }
    }
    if (!parsed) parseErrors++;
    sources.push({ path: file.path, kind, references });
    if (++read % filesPerTurn === 0) await nextMacrotask();
  }
  return { sources, bytes, parseErrors, skipped, unknownDynamic };
}

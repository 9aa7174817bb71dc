import { setImmediate as nextMacrotask } from 'node:timers/promises';
import { type Position, positionsIn } from '../../positions.js';
import type { SourceTree, TreeFile } from '../../source-tree.js';
import { folderOf } from '../../tree-path.js';
import { type LoadedByName, loadedByName } from '../entries/loaded-by-name.js';
import type { CompilerOptions } from '../project/compiler-options.js';
import { roleOf } from '../roles.js';
import { markdown, mayBeScript, type SourceKind, sourceKindOf } from '../source-kinds.js';
import { referencesByPattern, referencesInOtherLanguage } from './pattern-references.js';
import { type ReadOptions, readModule } from './read-module.js';
import { newReference, type Reference } from './reference.js';
import { Script } from './script.js';
import { placedScriptSources, scriptBlocks, withoutCode } from './script-blocks.js';

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
interface PlacedLoad extends LoadedByName {
  readonly line: number;
}

export interface ReadSources {
  readonly sources: readonly ReadSource[];
  readonly bytes: number;
  /** Paths of files that could not be parsed, of those without a parser, and of those too large, binary or not readable. */
  readonly unparsed: readonly string[];
  readonly parseErrors: number;
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
  /** Whether a site generator runs the imports of Markdown in a folder. */
  readonly runsMarkdown: (folder: string) => boolean;
}

/** Limit of a file whose name does not show what it is; a larger one is data. */
const maxUnnamedBytes = 256 * 1024;

/** Reads every source file of the tree once, without keeping texts. `readInFull` completes the references of one file. */
export async function readSources(tree: SourceTree, context: ReadingContext): Promise<ReadSources> {
  const sources: ReadSource[] = [];
  let bytes = 0;
  const unparsed: string[] = [];
  let parseErrors = 0;
  let filesInBatch = 0;
  let bytesInBatch = 0;
  for (const file of tree.files) {
    const kind = kindOf(file, context);
    if (kind === null) continue;
    const text = tree.read(file.path);
    if (text === null) {
      if (kind.reading !== 'recognised') unparsed.push(file.path);
      continue;
    }
    if (kind.reading === 'recognised' && !mayBeScript(text)) continue;
    // The symbols used in production decide the result. Of other files, a report shows only some sites.
    const depth = roleOf(file.path) === 'prod' ? 'packages' : 'imports';
    const found = readSource(file.path, text, kind, depth, context);
    if (isNoSource(kind, found)) continue;
    bytes += file.bytes;
    if (!found.parsed) parseErrors++;
    if (!found.parsed || kind.reading === 'searched') unparsed.push(file.path);
    sources.push({ path: file.path, kind, references: found.references, loads: found.loads });
    filesInBatch++;
    bytesInBatch += file.bytes;
    if (filesInBatch < filesPerBatch && bytesInBatch < bytesPerBatch) continue;
    filesInBatch = 0;
    bytesInBatch = 0;
    await nextMacrotask();
  }
  return { sources, bytes, unparsed, parseErrors };
}

/** Without scripts, a page is no source. A text that is no script after all is none either. */
function isNoSource({ blocks, reading }: SourceKind, found: { readonly parsed: boolean; readonly hasScript: boolean }) {
  if (blocks === 'none') return reading === 'recognised' && !found.parsed;
  return (blocks === 'page' || blocks === 'markdown') && !found.hasScript;
}

function kindOf({ path, bytes }: TreeFile, { runsMarkdown }: ReadingContext): SourceKind | null {
  const kind = sourceKindOf(path);
  if (kind?.reading === 'recognised' && bytes > maxUnnamedBytes) return null;
  return kind === null && path.endsWith('.md') && runsMarkdown(folderOf(path)) ? markdown : kind;
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
  const place = (reference: Reference, offset: number) => references.push({ reference, ...positionOf(offset) });
  const blocks = kind.reading === 'searched' ? [] : scriptBlocks(text, kind);
  for (const block of blocks) {
    const script = new Script(block.text, kind);
    const facts = readModule(script, options);
    // What a file loads by name is complete after the first reading.
    for (const load of depth === 'all' ? [] : loadedByName(script))
      loads.push({ ...load, line: positionOf(block.offset + load.offset).line });
    // The marks of a template are no errors of its scripts, and prose may begin like an import.
    parsed &&= facts.parsed || kind.blocks === 'page' || kind.blocks === 'markdown';
    if (!facts.parsed && kind.blocks === 'markdown') continue;
    for (const reference of facts.references) {
      if (isUsedBeside(reference, kind)) reference.symbolsComplete = false;
      place(reference, block.offset + reference.offset);
    }
  }
  for (const reference of outsideOfScripts(text, kind)) place(reference, reference.offset);
  return { references, loads, parsed, hasScript: blocks.length > 0 || references.length > 0 };
}

/** Whether the rest of the file, which is no script, may use more of a module than the script does. */
function isUsedBeside({ isWhole, kind }: Reference, { blocks }: SourceKind): boolean {
  return blocks === 'page' || (blocks !== 'none' && (isWhole || kind === 'require' || kind === 'dynamic'));
}

/** The references that a file has beside its scripts, or in a language without a parser. */
function outsideOfScripts(text: string, kind: SourceKind): readonly Reference[] {
  if (kind.reading === 'searched') return referencesInOtherLanguage(text);
  switch (kind.blocks) {
    case 'html':
      // <script src="./component.ts">
      return placedScriptSources(text)
        .filter((source) => source.text.startsWith('.'))
        .map((source) => newReference('import', source.text, source.offset));
    case 'markdown':
      return /\brequire\s*\(|\bimport\s*\(/.test(text)
        ? referencesByPattern(withoutCode(text)).references.filter(({ kind: found }) =>
            /^(?:require|dynamic)$/.test(found),
          )
        : [];
    default:
      return [];
  }
}

/** Reads a source again with its syntax tree, and completes the references that the first reading left incomplete. */
export function readInFull(tree: SourceTree, { path, kind, references }: ReadSource, context: ReadingContext): void {
  // A file that was deleted meanwhile keeps its first references.
  const text = tree.read(path) ?? '';
  const keyOf = ({ line, column, reference: { specifier } }: PlacedReference) =>
    `${line}:${column}:${typeof specifier === 'string' ? specifier : ''}`;
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

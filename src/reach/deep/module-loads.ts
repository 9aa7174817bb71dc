import { type ReadOptions, readModule } from '../languages/javascript/parse/read-module.js';
import type { PartialSpecifier } from '../languages/javascript/parse/reference.js';
import { Script } from '../languages/javascript/parse/script.js';
import { scriptBlocks } from '../languages/javascript/parse/script-blocks.js';
import { isBuiltin, packageOf } from '../languages/javascript/resolve/specifier.js';
import { sourceKindOf } from '../languages/javascript/source-kinds.js';
import { literalLoads } from './literal-loads.js';

/** A place where a file of a package loads another module when it runs. */
export interface ModuleLoad<Specifier = string | PartialSpecifier> {
  readonly specifier: Specifier;
  /** In UTF-16 code units from the start of the text. */
  readonly offset: number;
}

export interface ModuleLoads {
  readonly loads: readonly ModuleLoad[];
  /** The file loads what only a run can say. */
  readonly unknown: boolean;
  /** False where the file could not be parsed, so that loads may be missing. */
  readonly complete: boolean;
}

/** Characters. The parser takes some hundred times the memory; a larger text is a bundle, and patterns find its loads. */
const maxParsedLength = 1_000_000;

/** Symbols of modules do not matter here, so the cheapest reading is enough. */
const readOptions: ReadOptions = { erases: false, isPackage: () => false, depth: 'imports' };

/**
 * The loads of one file of a package. Types load nothing; neither does a file that is no script. Patterns find all loads
 * whose specifier is a literal, and also what a string or a comment shows of code. So the file is parsed where a specifier
 * is computed, and where a pattern finds a package that is no dependency: a tenth of the files of packages.
 *
 * @param isDependency whether the package's manifest has a dependency or a peer of the name
 */
export function loadsIn(text: string, path: string, isDependency: (name: string) => boolean): ModuleLoads {
  const kind = sourceKindOf(path) ?? (/\.[^/.]+$/.test(path) ? null : sourceKindOf('a.js'));
  if (kind === null || kind.lang === 'dts') return { loads: [], unknown: false, complete: true };
  const { loads: literals, computed } = literalLoads(text);
  const expected = literals.filter(({ specifier }) => isExpected(specifier, isDependency));
  const isSure = !computed && expected.length === literals.length && kind.blocks === 'none';
  if (isSure) return { loads: literals, unknown: false, complete: true };
  if (text.length > maxParsedLength) return { loads: literals, unknown: computed, complete: true };
  const loads: ModuleLoad[] = [...expected];
  let unknown = false;
  let complete = true;
  for (const block of scriptBlocks(text, kind)) {
    const facts = readModule(new Script(block.text, kind), readOptions);
    complete &&= facts.parsed;
    unknown ||= !facts.parsed && computed;
    for (const { specifier, offset, typeOnly, mock } of facts.references) {
      if (typeOnly || mock) continue;
      if (isUnknown(specifier)) unknown = true;
      else loads.push({ specifier, offset: block.offset + offset });
    }
  }
  return { loads, unknown, complete };
}

/** Whether only a run can say what is loaded. */
function isUnknown(specifier: ModuleLoad['specifier']): boolean {
  return typeof specifier !== 'string' && specifier.prefix === '' && specifier.suffix === '';
}

function isExpected(specifier: string, isDependency: (name: string) => boolean): boolean {
  if (/^[.#]/.test(specifier) || isBuiltin(specifier)) return true;
  const name = packageOf(specifier)?.name;
  return name === undefined || isDependency(name);
}

import type { Entry } from '../../language-reader.js';
import { joinPath } from '../../tree-path.js';
import { commandsOf, filesRunBy } from '../project/commands.js';
import type { FileLookup } from '../resolve/file-lookup.js';
import { sourceKindOf } from '../source-kinds.js';

/** Folders of container images that hold the project. */
const imageFolder = /^\/(?:usr\/src\/app|app|src|home\/node\/app|workspace)\//;

/** Collects entry points. Of several reasons for one file, the first counts. */
export class EntryCollector {
  readonly lookup: FileLookup;
  readonly #entries = new Map<string, Entry>();

  constructor(lookup: FileLookup) {
    this.lookup = lookup;
  }

  get found(): readonly Entry[] {
    return [...this.#entries.values()];
  }

  /** Adds those of the files that are source. */
  add(files: readonly string[], reason: string): void {
    for (const file of files) {
      if (!this.#entries.has(file) && sourceKindOf(file) !== null) this.#entries.set(file, { file, why: reason });
    }
  }

  /** Adds the files that a shell line runs. It may change to another folder of the tree by `cd`. */
  addRunBy(line: string, folder: string, reason: string): void {
    let current: string | null = folder;
    for (const command of commandsOf(line)) {
      if (command.program === 'cd') current = joinPath(current ?? folder, command.words[0] ?? '');
      else
        for (const file of filesRunBy(command))
          this.add(this.lookup.sources(current ?? folder, file.replace(imageFolder, '')), reason);
    }
  }
}

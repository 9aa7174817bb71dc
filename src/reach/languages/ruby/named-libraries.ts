import { listsOf, rowsOf } from '../../knowledge/knowledge.js';
import type { Mention } from '../language.js';
import { packageTable } from '../package-table.js';
import type { SourceTree } from '../source-tree.js';
import { startLines } from '../start-files.js';

const servers = listsOf('ruby/libraries')('rackServers');

/** `service: S3` and `adapter: postgresql` in the settings of Rails. */
const setting = /^\s*(?:service|adapter|cache_store|backend|queue_adapter):\s*["']?(\w+)/;
const settingsFile =
  /(?:^|\/)config\/(?:[\w.-]+\/)*(?:storage|database|cable|cache|queue|redis|settings|application)[\w.-]*\.ya?ml(?:\.\w+)?$/;
const word = /(?<![\w./-])(?:[\w./]{0,80}\/)?([A-Za-z][\w-]*)(?![\w./-])/g;

/** Bounds for hostile trees. */
const maxBytes = 256 * 1024;
const maxLineLength = 1000;

export interface NamedLibraries {
  /** The gems that a name in settings or code stands for: of the table, or with that name. */
  gemsOf(name: string): readonly string[];
  /** The gems that settings, start files and the kinds of templates in a tree name. */
  mentionsIn(tree: SourceTree): Mention[];
}

/** @param gemNamed the gem with a name, among those that the lock files have */
export function namedLibraries(gemNamed: (name: string) => string | undefined): NamedLibraries {
  const table = packageTable(rowsOf('ruby/settings'), gemNamed);
  const templates = packageTable(rowsOf('ruby/templates'), gemNamed);
  const gemsOf = (name: string) => {
    const own = gemNamed(name);
    return [...new Set([...(table.get(name) ?? []), ...(own === undefined ? [] : [own])])];
  };
  return {
    gemsOf,
    mentionsIn(tree) {
      const mentions = new Map<string, Mention>();
      const note = (gems: readonly string[], place: Omit<Mention, 'packageName'>) => {
        for (const packageName of gems) {
          const key = `${packageName}\n${place.file}`;
          if (!mentions.has(key)) mentions.set(key, { packageName, ...place });
        }
      };
      const seen = new Set<string>();
      for (const { path, bytes } of tree.files) {
        const extension = /\.(\w+)$/.exec(path)?.[1] ?? '';
        const place = { file: path, line: 1, column: 1, role: 'prod' } as const;
        if (/(?:^|\/)config\.ru$/.test(path))
          note(
            servers.flatMap((name) => gemNamed(name) ?? []),
            place,
          );
        // One file of a kind is enough.
        if (templates.has(extension) && !seen.has(extension)) note(templates.get(extension) ?? [], place);
        seen.add(extension);
        if (!settingsFile.test(path) || bytes > maxBytes) continue;
        for (const [index, line] of (tree.read(path) ?? '').split('\n').entries()) {
          const name = setting.exec(line.slice(0, maxLineLength))?.[1];
          if (name !== undefined) note(gemsOf(name), { ...place, line: index + 1 });
        }
      }
      for (const { path, number, text, role, isSettings } of startLines(tree)) {
        if (isSettings) continue;
        for (const { 1: name = '', index } of text.matchAll(word)) {
          note(gemsOf(name), { file: path, line: number, column: index + 1, role });
        }
      }
      return [...mentions.values()];
    },
  };
}

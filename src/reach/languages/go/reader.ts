import { groupBy } from '../../lockfiles/group-by.js';
import type { Language, Target } from '../language.js';
import { roleByPath } from '../roles.js';
import { readerOf } from '../source-analysis.js';
import { type ParsedGo, parseGo } from './imports.js';

const conventions = [
  [/_test\.go$/, 'test'],
  [/(?:^|\/)(?:magefile|tools)\.go$/, 'script'],
] as const;

const go: Language<ParsedGo> = {
  name: 'Go',
  ecosystem: 'Go',
  reads: (path) => path.endsWith('.go'),
  roleOf: (path) => roleByPath(path, conventions),
  begin(packageNames) {
    const known = new Set(packageNames);
    return {
      parse: (_, text) => parseGo(text),
      async connect(tree, files) {
        const folders = groupBy(
          [...files.keys()].filter((path) => !path.endsWith('_test.go')),
          folderOf,
        );
        const modules = new Map<string, string>();
        for (const { path } of tree.files) {
          if (!/(?:^|\/)go\.mod$/.test(path)) continue;
          const name = /^[ \t]*module[ \t]+["`]?([^\s"`]+)/m.exec(tree.read(path) ?? '')?.[1];
          if (name !== undefined) modules.set(name, folderOf(path));
        }
        return {
          entries: [],
          // The files of a folder are one package, and are built together.
          alongside: (file) => folders.get(folderOf(file)) ?? [],
          target(_, { target }): Target {
            const own = longestPrefix(target, modules);
            const below = own === null ? null : target.slice(own.length + 1);
            const folder = own === null ? null : [modules.get(own), below].filter((part) => part).join('/');
            const name = longestPrefix(target, known);
            return {
              files: folder === null ? [] : (folders.get(folder) ?? []),
              packages: name === null ? [] : [{ name, subpath: target.slice(name.length + 1) || null }],
              // A path of the standard library has no dot in its first part.
              isOwn: own !== null || !(target.split('/', 1)[0] ?? '').includes('.'),
            };
          },
        };
      },
    };
  },
};

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** The longest of the modules that a path lies in (https://go.dev/ref/mod#resolve-pkg-mod). */
function longestPrefix(path: string, modules: { has(name: string): boolean }): string | null {
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
    const prefix = path.slice(0, end);
    if (modules.has(prefix)) return prefix;
  }
  return null;
}

/** Reads Go. A module is told exactly by its path; of symbols, functions and what types the file itself names. */
export const goReader = readerOf(go);

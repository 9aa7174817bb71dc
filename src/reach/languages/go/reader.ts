import { groupBy } from '../../lockfiles/group-by.js';
import { createReader } from '../create-reader.js';
import type { Language, ParsedFile, Target } from '../language.js';
import { longestPrefix } from '../longest-prefix.js';
import { roleByPath } from '../roles.js';
import { folderOf } from '../tree-path.js';
import { parseGo } from './imports.js';

const conventions = [
  [/_test\.go$/, 'test'],
  [/(?:^|\/)(?:magefile|tools)\.go$/, 'script'],
] as const;

const go: Language<ParsedFile> = {
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
          // The files of a folder are one package, and are built together.
          sameUnit: (file) => folders.get(folderOf(file)) ?? [],
          target(_, { target, kind }): Target {
            // The longest module that the path lies in (https://go.dev/ref/mod#resolve-pkg-mod).
            const module = longestPrefix(target, '/', modules);
            const below = module === null ? null : target.slice(module.length + 1);
            const folder = module === null ? null : [modules.get(module), below].filter((part) => part).join('/');
            const name = longestPrefix(target, '/', known);
            // A path of the standard library has no dot in its first part.
            const isStandard = module === null && name === null && !(target.split('/', 1)[0] ?? '').includes('.');
            const found = folder === null ? [] : (folders.get(folder) ?? []);
            return {
              files: found,
              // Code of the project that is generated when it is built, and may import any package.
              ...(module !== null && { hidden: { kind: 'unresolved_import', detail: target, hides: 'any' } }),
              packages:
                name !== null
                  ? [{ name, subpath: target.slice(name.length + 1) || null }]
                  : isStandard && kind !== 'mention' && known.has('stdlib')
                    ? [{ name: 'stdlib', subpath: target }]
                    : [],
              needsNoPackage: module !== null || isStandard,
            };
          },
        };
      },
    };
  },
};

/** Reads Go. A path names its module exactly. Symbols are functions, and methods of types that the file itself names. */
export const goReader = createReader(go);

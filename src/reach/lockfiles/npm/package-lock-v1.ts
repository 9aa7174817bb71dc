import * as z from 'zod';
import { LockfileError, parseShape, type Source } from '../source.js';
import { type PackageEntry, packageEntry } from './package-entry.js';

/** One level is parsed at a time, so that no depth of nesting can exhaust the stack. */
const level = z.object({ dependencies: z.record(z.string(), z.unknown()).optional() });

const treeEntry = level.extend({
  ...packageEntry.pick({ version: true, dev: true, optional: true, devOptional: true, peer: true, extraneous: true })
    .shape,
  bundled: z.boolean().optional(),
  requires: z.union([z.boolean(), z.record(z.string(), z.unknown())]).optional(),
  resolved: packageEntry.shape.resolved,
  integrity: packageEntry.shape.integrity,
  deprecated: z.string().optional(),
});

/** Levels; far more than npm nests. Each one makes the paths below it longer. */
const maxDepth = 64;

const maxEntries = 200_000;

/** `npm:lodash@3.10.1`: how version 1 records a package that is installed under another name. */
const alias = /^npm:(@?[^@]+)@(.+)$/;

/** The tree of lockfileVersion 1 as a flat list by path, which is what later versions have. */
export function flattenTree(source: Source, document: unknown): Map<string, PackageEntry> {
  const tree = new Map<string, PackageEntry>();
  const waiting = [{ location: '', depth: 0, dependencies: parseShape(source, level, document).dependencies ?? {} }];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if (folder.depth > maxDepth)
      throw new LockfileError(source.file, `dependencies: nested deeper than the ${maxDepth} levels expected`);
    for (const [name, value] of Object.entries(folder.dependencies)) {
      const location = `${folder.location}${folder.location === '' ? '' : '/'}node_modules/${name}`;
      const { version, requires, dependencies, bundled, ...flags } = parseEntry(source, location, value);
      const [, realName, realVersion] = alias.exec(version ?? '') ?? [];
      tree.set(location, {
        ...flags,
        inBundle: bundled,
        ...(realName === undefined ? {} : { name: realName }),
        version: realVersion ?? version,
        dependencies: typeof requires === 'object' ? requires : undefined,
      });
      if (tree.size > maxEntries)
        throw new LockfileError(
          source.file,
          `lists more than ${maxEntries} packages: expected the lock file of one project`,
        );
      if (dependencies !== undefined) waiting.push({ location, depth: folder.depth + 1, dependencies });
    }
  }
  return tree;
}

function parseEntry(source: Source, location: string, value: unknown): z.output<typeof treeEntry> {
  return parseShape({ ...source, file: `${source.file}: ${location}` }, treeEntry, value);
}

import { posix } from 'node:path';
import * as z from 'zod';
import { jsonOrNull } from '../languages/manifest-text.js';
import type { SourceTree } from '../languages/source-tree.js';
import { folderOf, isWithin } from '../languages/tree-path.js';
import { declaredNames } from '../lockfiles/manifest.js';

/** Whether a file of the tree is part of the analysis. */
export type Selection = (path: string) => boolean;

/** The tree does not have the workspace; the message names those that it has. */
export class WorkspaceError extends Error {
  override readonly name = 'WorkspaceError';
}

const section = z.record(z.string(), z.unknown()).optional().catch(undefined);
const manifest = z.object({
  name: z.string().optional().catch(undefined),
  dependencies: section,
  devDependencies: section,
  optionalDependencies: section,
  peerDependencies: section,
});

interface Workspace {
  readonly name: string | undefined;
  readonly folder: string;
  readonly wants: readonly string[];
}

/** Names listed in an error. */
const maxNames = 20;

/**
 * The files of one workspace, which is given by its package's name or its folder. They are the files below it, and those of
 * the tree's other packages that it depends on, since their code runs in it.
 */
export function selectWorkspace(tree: SourceTree, nameOrFolder: string): Selection {
  const workspaces = readWorkspaces(tree);
  const folder = posix.normalize(nameOrFolder).replace(/^\.\/|\/+$/g, '');
  const start =
    workspaces.find(({ name }) => name === nameOrFolder)?.folder ?? (hasFolder(tree, folder) ? folder : null);
  if (start === null) {
    const names = workspaces.flatMap(({ name }) => name ?? []);
    const known = names.slice(0, maxNames).join(', ') + (names.length > maxNames ? ', …' : '');
    throw new WorkspaceError(
      `--workspace ${nameOrFolder} is neither a package nor a folder of the tree${known === '' ? '' : `; its packages are ${known}`}`,
    );
  }
  const byName = new Map(workspaces.map((workspace) => [workspace.name, workspace]));
  const folders = new Set([start]);
  for (const at of folders) {
    for (const wanted of workspaces
      .filter((workspace) => isWithin(workspace.folder, at))
      .flatMap(({ wants }) => wants)) {
      const other = byName.get(wanted);
      if (other !== undefined) folders.add(other.folder);
    }
  }
  return (path) => [...folders].some((at) => isWithin(path, at));
}

function readWorkspaces(tree: SourceTree): Workspace[] {
  const found: Workspace[] = [];
  for (const { path } of tree.files) {
    if (posix.basename(path) !== 'package.json') continue;
    const parsed = manifest.safeParse(jsonOrNull(tree.read(path)));
    if (parsed.success)
      found.push({ name: parsed.data.name, folder: folderOf(path), wants: declaredNames(parsed.data) });
  }
  return found;
}

function hasFolder({ files }: SourceTree, folder: string): boolean {
  return folder !== '' && files.some(({ path }) => path.startsWith(`${folder}/`));
}

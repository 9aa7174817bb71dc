/** The folder of a path in the tree; empty for a file at the tree's root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** The path of a name in a folder. With an empty name, it is what all paths in the folder begin with. */
export function inFolder(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** Whether a path is the folder or lies below it. */
export function isWithin(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

/** The last part of a path. */
export function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The path of the tree that a path relative to a folder means. Null where it leads out of the tree. */
export function joinPath(folder: string, relative: string): string | null {
  const parts = folder === '' ? [] : folder.split('/');
  for (const part of relative.split('/')) {
    if (part === '..') {
      if (parts.length === 0) return null;
      parts.pop();
    } else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** The first answer that is not undefined, of a folder and the folders above it, from the inside out. */
export function fromFoldersAbove<T>(folder: string, answer: (folder: string) => T | undefined): T | undefined {
  for (let at = folder; ; at = folderOf(at)) {
    const found = answer(at);
    if (found !== undefined || at === '') return found;
  }
}

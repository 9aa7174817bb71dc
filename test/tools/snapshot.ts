import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The files of a folder by their paths in it, without what is installed. */
export function filesIn(folder: string): Record<string, string> {
  const found: [string, string][] = [];
  const waiting = [folder];
  for (const at of waiting) {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const file = path.join(at, entry.name);
      if (entry.isDirectory() && entry.name !== 'node_modules') waiting.push(file);
      if (entry.isFile()) found.push([path.relative(folder, file), readFileSync(file, 'utf8')]);
    }
  }
  return Object.fromEntries(found);
}

/** Makes a folder have these files and no others, but for what is installed. */
export function restore(folder: string, files: Readonly<Record<string, string>>): void {
  for (const file of Object.keys(filesIn(folder))) {
    if (!Object.hasOwn(files, file)) rmSync(path.join(folder, file));
  }
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(folder, file), text);
}

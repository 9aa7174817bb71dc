import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';

const manifest = z.object({ files: z.array(z.string()), bin: z.record(z.string(), z.string()) });

export interface PackageFile {
  /** Its path in the package, with `/`. */
  readonly name: string;
  readonly isProgram: boolean;
  readonly bytes: Buffer;
}

/** What npm adds to the `files` of a manifest by itself, of what there is here. */
const always = ['package.json', 'README.md', 'LICENSE'];

/**
 * The files of the package in a folder, by name: those that npm would publish. Maps of sources and what begins with a dot stay
 * out, as the manifest's `!` entries say, and so does whatever is no plain file. Throws where the folder has no manifest.
 */
export async function readPackage(root: string): Promise<PackageFile[]> {
  const { files, bin } = manifest.parse(JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')));
  const programs = new Set(Object.values(bin));
  const wanted = new Set([...always, ...files.filter((entry) => !entry.startsWith('!'))]);
  const names = (await Promise.all([...wanted].map((entry) => filesAt(root, entry)))).flat().sort();
  return Promise.all(
    names.map(async (name) => ({
      name,
      isProgram: programs.has(name),
      bytes: await readFile(path.join(root, name)),
    })),
  );
}

/** The plain files at a path: itself, or all below it. */
async function filesAt(root: string, entry: string): Promise<string[]> {
  const beside = await readdir(path.join(root, path.dirname(entry)), { withFileTypes: true });
  const found = beside.find(({ name }) => name === path.basename(entry));
  if (found?.isFile()) return [entry];
  return found?.isDirectory() ? filesBelow(root, entry) : [];
}

async function filesBelow(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(path.join(root, folder), { withFileTypes: true });
  const lists = entries
    .filter(({ name }) => !name.startsWith('.') && !name.endsWith('.map'))
    .map((entry) => {
      const name = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return filesBelow(root, name);
      return entry.isFile() ? [name] : [];
    });
  return (await Promise.all(lists)).flat();
}

import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openPromise } from 'yauzl';
import { readFolder } from '../analysis/text-file.js';
import { PackageWriter } from './package-writer.js';

/** The archives that Yarn 2 and later keep in a tree (https://yarnpkg.com/features/caching#offline-mirror), by file name. */
export class YarnCache {
  readonly #folder: string;
  readonly #archives: readonly string[];

  /** @param folder absolute, of `.yarn/cache` */
  constructor(folder: string) {
    this.#folder = folder;
    const archives = (readFolder(folder) ?? []).filter((child) => child.isFile() && child.name.endsWith('.zip'));
    this.#archives = archives.map(({ name }) => name);
  }

  /** The archive of a package, as `@scope-name-npm-1.0.0-0123456789-0123456789.zip`. */
  archiveOf(name: string, version: string): string | null {
    const start = `${name.replace('/', '-')}-npm-${version}-`;
    const found = this.#archives.find((archive) => archive.startsWith(start));
    return found === undefined ? null : join(this.#folder, found);
  }
}

/**
 * Unpacks an archive of Yarn into a new folder below `folder`.
 *
 * @returns the new folder
 * @throws ArchiveError for paths that lead out of the package, and for more than a package has; other errors for a damaged file
 */
export async function unpackZip(file: string, name: string, folder: string): Promise<string> {
  const place = join(folder, randomBytes(8).toString('hex'));
  await mkdir(place, { recursive: true, mode: 0o700 });
  const writer = new PackageWriter(place);
  const prefix = `node_modules/${name}/`;
  const zip = await openPromise(file, { autoClose: false });
  try {
    for await (const entry of zip.eachEntry()) {
      if (!entry.fileName.startsWith(prefix) || entry.fileName.endsWith('/')) continue;
      const path = entry.fileName.slice(prefix.length);
      if (!writer.accepts(path, entry.uncompressedSize)) continue;
      const chunks: Uint8Array[] = [];
      for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk);
      await writer.write(path, Buffer.concat(chunks));
    }
  } finally {
    zip.close();
  }
  return place;
}

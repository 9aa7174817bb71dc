import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Limits of one unpacked package. The largest that we know of has 20,000 files and 300 MB. */
const limits = { files: 100_000, fileBytes: 64 * 1024 * 1024, bytes: 1024 * 1024 * 1024, path: 1024 };

/** An archive holds what no package holds: a path that leads out of it, or too much. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
}

/** Files whose text says what a package loads, or whose existence does. The rest is not unpacked. */
const wanted = /\.(?:[mc]?js|jsx|[mc]?ts|tsx|json|node|wasm)$|(?:^|\/)[^./]+$/;
const unread = /\.(?:node|wasm)$|\.d\.[mc]?ts$/;

/** Writes the files of an archive below a folder: scripts and manifests with their text, add-ons as empty files. */
export class PackageWriter {
  readonly #folder: string;
  readonly #folders = new Set<string>();
  #files = 0;
  #bytes = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Whether a file is to be written. Counts it, with its bytes, against the limits.
   *
   * @throws ArchiveError for a path that leads out of the package, and beyond a limit
   */
  accepts(path: string, bytes: number): boolean {
    const isUnsafe = path.split('/').some((part) => part === '' || part === '.' || part === '..');
    if (isUnsafe || path.length > limits.path || /[\p{Cc}\\:]/u.test(path))
      throw new ArchiveError('holds a path that leads out of it');
    this.#files++;
    this.#bytes += bytes;
    if (this.#files > limits.files || bytes > limits.fileBytes || this.#bytes > limits.bytes)
      throw new ArchiveError('holds more than a package has');
    return wanted.test(path);
  }

  /** Whether the text of a file is written; of others, only that they exist matters. */
  static keepsText(path: string): boolean {
    return !unread.test(path);
  }

  async write(path: string, content: Uint8Array): Promise<void> {
    const file = join(this.#folder, path);
    const folder = dirname(file);
    if (!this.#folders.has(folder)) await mkdir(folder, { recursive: true, mode: 0o700 });
    this.#folders.add(folder);
    await writeFile(file, PackageWriter.keepsText(path) ? content : '', { mode: 0o600 });
  }
}

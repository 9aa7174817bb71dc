import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { createTarPacker, type TarPackController } from 'modern-tar';
import { codeOfError } from '../../shared/errors/code-of-error.js';
import type { Database } from '../db/database.js';
import { about, aboutName, checksumsName, databaseName, keptFiles } from './backup-format.js';
import {
  controlFile,
  type DatabaseEntry,
  filesAtRest,
  filesInUse,
  logSegments,
  requireDatabase,
} from './database-files.js';
import { beginOnlineCopy } from './online-copy.js';

/** Bytes that are read at once. */
const pieceBytes = 256 * 1024;
const zeros = Buffer.alloc(pieceBytes);

interface Source {
  readonly dataDir: string;
  /** The database that this process has open; null where nobody has it open, and the caller holds the folder's lock. */
  readonly database: Database | null;
  /** The version of this program. */
  readonly version: string;
}

/**
 * The tar archive of a data folder, read as it is asked for. An error of it means that what has come is no backup.
 *
 * @throws BackupError where the folder has no database
 */
export function packBackup(source: Source): Readable {
  const folder = requireDatabase(source.dataDir);
  const { readable, controller } = createTarPacker();
  pack(new Archive(controller), source, folder).then(
    () => controller.finalize(),
    (error: unknown) => controller.error(error),
  );
  return Readable.from(readable);
}

async function pack(archive: Archive, { dataDir, database, version }: Source, folder: string): Promise<void> {
  const made_at = new Date().toISOString();
  await archive.addText(aboutName, JSON.stringify(about.encode({ format: 1, postern: version, made_at })));
  for (const name of keptFiles) await archive.addFile(name, path.join(dataDir, name));
  const add = ({ path: name, isFolder }: DatabaseEntry) =>
    isFolder
      ? archive.addFolder(`${databaseName}/${name}`)
      : archive.addFile(`${databaseName}/${name}`, path.join(folder, name));
  await archive.addFolder(databaseName);
  if (database === null) for await (const entry of filesAtRest(folder)) await add(entry);
  else {
    const copy = await beginOnlineCopy(database);
    try {
      for await (const entry of filesInUse(folder)) await add(entry);
      await add({ path: controlFile, isFolder: false });
      await archive.addText(`${databaseName}/backup_label`, await copy.end());
      for (const segment of await logSegments(folder)) await add(segment);
    } finally {
      await copy.release();
    }
  }
  await archive.addChecksums();
}

/** Writes the entries of an archive, and notes the digest of each. */
class Archive {
  readonly #controller: TarPackController;
  readonly #digests = new Map<string, string>();

  constructor(controller: TarPackController) {
    this.#controller = controller;
  }

  async addFolder(name: string): Promise<void> {
    await this.#controller.add({ name: `${name}/`, size: 0, type: 'directory', mode: 0o700 }).close();
  }

  addText(name: string, text: string): Promise<void> {
    const bytes = Buffer.from(text);
    return this.#add(name, bytes.length, [bytes]);
  }

  addChecksums(): Promise<void> {
    return this.addText(checksumsName, JSON.stringify(Object.fromEntries(this.#digests)));
  }

  /** A file that is gone is left out; of one that has become shorter meanwhile, the rest is zeros. The log repairs both. */
  async addFile(name: string, file: string): Promise<void> {
    const handle = await open(file).catch((error: unknown) => {
      if (codeOfError(error) === 'ENOENT') return null;
      throw error;
    });
    if (handle === null) return;
    try {
      const { size } = await handle.stat();
      await this.#add(name, size, contentOf(handle, size));
    } finally {
      await handle.close();
    }
  }

  async #add(name: string, size: number, content: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<void> {
    const writer = this.#controller.add({ name, size, type: 'file', mode: 0o600 }).getWriter();
    const digest = createHash('sha256');
    for await (const piece of content) {
      digest.update(piece);
      await writer.write(piece);
    }
    await writer.close();
    this.#digests.set(name, digest.digest('hex'));
  }
}

async function* contentOf(handle: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < size; ) {
    const wanted = Math.min(pieceBytes, size - at);
    // A buffer of its own: the archive may hold it until it is read.
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafeSlow(wanted), 0, wanted, at);
    const piece = bytesRead === 0 ? zeros.subarray(0, wanted) : buffer.subarray(0, bytesRead);
    at += piece.length;
    yield piece;
  }
}

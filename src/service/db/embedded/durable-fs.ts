import fs from 'node:fs';
import path from 'node:path';
import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

type Init = NodeFS['init'];

/**
 * PGlite's file system in a folder, with fsync. PGlite 0.5 starts PostgreSQL with fsync off, and its file system for
 * Node has no fsync. Then kill -9 loses nothing, but a power cut leaves a folder that does not open.
 */
class DurableFolder extends NodeFS {
  override async init(...[pglite, options]: Parameters<Init>): ReturnType<Init> {
    const { emscriptenOpts } = await super.init(pglite, options);
    const preRun = [...(emscriptenOpts.preRun ?? []), (module: { NODEFS: object }) => wireFsync(module.NODEFS)];
    return { emscriptenOpts: { ...emscriptenOpts, preRun } };
  }
}

/** Throws where PGlite's internals differ, because running without durability would be worse than not starting. */
function wireFsync(nodeFs: object): void {
  const operations = 'stream_ops' in nodeFs ? nodeFs.stream_ops : undefined;
  if (typeof operations !== 'object' || operations === null || !('open' in operations)) {
    throw new Error('This version of PGlite has another file system than Postern knows how to make durable.');
  }
  Object.assign(operations, {
    fsync(stream: object): number {
      const descriptor = 'nfd' in stream ? stream.nfd : undefined;
      if (typeof descriptor !== 'number')
        throw new Error('PGlite asked for an fsync of something that is no open file.');
      fs.fsyncSync(descriptor);
      return 0;
    },
  });
}

/** Options that make PGlite durable, and its upkeep short. The WAL is synced by fsync, because fdatasync is an empty stub in PGlite. */
export function durableOptions(folder: string): PGliteOptions {
  return {
    fs: new DurableFolder(folder),
    startParams: [
      ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
      ...['-c', 'fsync=on', '-c', 'wal_sync_method=fsync'],
      // Analyzing a large table holds up everybody: a tenth of the sample takes a tenth of the time.
      ...['-c', 'default_statistics_target=10'],
    ],
  };
}

/** Flushes a folder and everything in it to the disk. */
export function syncTree(folder: string): void {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const entryPath = path.join(folder, entry.name);
    if (entry.isDirectory()) syncTree(entryPath);
    else if (entry.isFile()) syncPath(entryPath);
  }
  syncPath(folder);
}

export function syncPath(file: string): void {
  // Windows cannot open folders or flush files opened for reading. NTFS journals file names itself.
  if (process.platform === 'win32') return;
  const descriptor = fs.openSync(file, 'r');
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

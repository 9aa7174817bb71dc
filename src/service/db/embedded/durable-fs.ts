import fs from 'node:fs';
import path from 'node:path';
import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

type Init = NodeFS['init'];

/**
 * PGlite's file system in a folder, with fsync. PGlite 0.5 starts PostgreSQL with fsync off and its Node file system has
 * no fsync at all: kill -9 loses nothing then, but a power cut leaves a folder that does not open again.
 */
class DurableFolder extends NodeFS {
  override async init(...[pglite, options]: Parameters<Init>): ReturnType<Init> {
    const { emscriptenOpts } = await super.init(pglite, options);
    const preRun = [...(emscriptenOpts.preRun ?? []), (module: { NODEFS: object }) => wireFsync(module.NODEFS)];
    return { emscriptenOpts: { ...emscriptenOpts, preRun } };
  }
}

/** Throws where PGlite is built differently: better no start than a start without durability. */
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

/** Options that make PGlite keep in `folder` what it acknowledged. fdatasync is an empty stub in PGlite: WAL by fsync. */
export function durableOptions(folder: string): PGliteOptions {
  return {
    fs: new DurableFolder(folder),
    startParams: [
      ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
      ...['-c', 'fsync=on', '-c', 'wal_sync_method=fsync'],
    ],
  };
}

/** Has the operating system write a folder and all that is in it. */
export function syncTree(folder: string): void {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const entryPath = path.join(folder, entry.name);
    if (entry.isDirectory()) syncTree(entryPath);
    else if (entry.isFile()) syncPath(entryPath);
  }
  syncPath(folder);
}

export function syncPath(file: string): void {
  // Windows opens no folder and flushes no file opened for reading; its NTFS journals names itself.
  if (process.platform === 'win32') return;
  const descriptor = fs.openSync(file, 'r');
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

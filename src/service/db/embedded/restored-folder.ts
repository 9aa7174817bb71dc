import fs from 'node:fs';
import path from 'node:path';
import { syncPath, syncTree } from './durable-fs.js';

/** What is being restored; after a crash it is worth nothing. */
const stagingName = 'restore.new';

/** What was restored whole, and is only to be moved to its place: the restore has happened when the folder has this name. */
const readyName = 'restore.ready';

const ofRestore: ReadonlySet<string> = new Set([stagingName, readyName]);

/** An empty folder for what is being restored. The caller holds the data folder's lock. */
export function newStagingFolder(dataDir: string): string {
  const staging = path.join(dataDir, stagingName);
  fs.rmSync(staging, { recursive: true, force: true });
  fs.mkdirSync(staging, { mode: 0o700 });
  return staging;
}

/** What a data folder holds beside its lock and what a broken restore has left. */
export function contentOf(dataDir: string): string[] {
  return fs.readdirSync(dataDir).filter((name) => !name.startsWith('lock.json') && !ofRestore.has(name));
}

/** Makes what is in the staging folder the content of the data folder: after a crash the next start finishes it. */
export function acceptStaging(dataDir: string): void {
  const staging = path.join(dataDir, stagingName);
  syncTree(staging);
  fs.renameSync(staging, path.join(dataDir, readyName));
  syncPath(dataDir);
  finishRestore(dataDir);
}

/** Finishes a restore that had happened, and removes what one that had not has left. The caller holds the folder's lock. */
export function finishRestore(dataDir: string): void {
  fs.rmSync(path.join(dataDir, stagingName), { recursive: true, force: true });
  const ready = path.join(dataDir, readyName);
  if (!fs.existsSync(ready)) return;
  for (const name of fs.readdirSync(ready)) fs.renameSync(path.join(ready, name), path.join(dataDir, name));
  syncPath(dataDir);
  fs.rmdirSync(ready);
}

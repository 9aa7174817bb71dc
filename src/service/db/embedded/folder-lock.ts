import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { codeOfError } from '../../../shared/errors/code-of-error.js';
import { machine, processStarted, stillRuns } from './lock-holder.js';

/** How often a holder touches the lock, for processes on other machines, which cannot look up its pid. */
const heartbeatMs = 10_000;

const lockRecord = z.object({
  /** Identifies one acquisition of the lock. */
  token: z.uuid(),
  pid: z.int().positive(),
  /** When the process started (Linux only), which distinguishes it from a later process with the same pid. */
  process_started: z.string().nullable(),
  /** Host and pid namespace; a pid has a meaning only within them. */
  machine: z.string(),
  started_at: z.iso.datetime(),
  url: z.url().nullable(),
});
type LockRecord = z.infer<typeof lockRecord>;

/** The process that has a data folder open. `url` is where it serves, null until then. */
export interface Holder {
  readonly pid: number;
  readonly started_at: string;
  readonly url: string | null;
}

export class FolderHeldError extends Error {
  readonly holder: Holder;

  constructor(dataDir: string, holder: Holder) {
    const serving = holder.url === null ? '' : `, serving ${holder.url}`;
    super(
      `The data folder ${dataDir} is in use by process ${holder.pid} since ${holder.started_at}${serving}. ` +
        'Only one process can have it open: stop that one, or choose another folder with DATA_DIR.',
    );
    this.name = 'FolderHeldError';
    this.holder = holder;
  }
}

export interface FolderLock {
  release(): void;
}

const held = new Map<string, LockRecord>();

/** Locks the data folder for this process. Throws `FolderHeldError` where any process, also this one, has it open. */
export function lockFolder(dataDir: string): FolderLock {
  const file = lockFile(dataDir);
  const record: LockRecord = {
    token: randomUUID(),
    pid: process.pid,
    process_started: processStarted(process.pid),
    machine,
    started_at: new Date().toISOString(),
    url: null,
  };
  const holder = take(file, record);
  if (holder !== null) throw new FolderHeldError(dataDir, holder);
  held.set(file, record);
  const heartbeat = setInterval(() => beat(file), heartbeatMs).unref();
  const release = () => {
    clearInterval(heartbeat);
    process.off('exit', release);
    held.delete(file);
    if (read(file)?.token === record.token) fs.rmSync(file);
  };
  process.on('exit', release);
  return { release };
}

/** Writes into the lock where this process serves, for other processes to read. */
export function setUrl(dataDir: string, url: string | null): void {
  const file = lockFile(dataDir);
  const record = held.get(file);
  if (record === undefined) throw new Error(`This process does not hold the data folder ${dataDir}.`);
  const next = { ...record, url };
  fs.renameSync(written(file, next), file);
  held.set(file, next);
}

/** The process that has the folder open; null where there is none. */
export function readHolder(dataDir: string): Holder | null {
  const file = lockFile(dataDir);
  const record = read(file);
  return record === null || !alive(file, record) ? null : holderOf(record);
}

/**
 * Takes the lock at `file`, or returns its holder. The lock of a dead process is replaced under a second lock, named
 * after the first one's token. Of all processes that find it, one gets the second lock; late ones find a new record at
 * `file`.
 */
function take(file: string, record: LockRecord): Holder | null {
  const ownFile = written(file, record);
  try {
    while (true) {
      if (linked(ownFile, file)) return null;
      const found = read(file);
      if (found === null) continue;
      if (alive(file, found)) return holderOf(found);
      const guard = `${file}.${found.token}`;
      const rival = take(guard, { ...record, token: randomUUID() });
      if (rival !== null) return rival;
      try {
        if (read(file)?.token === found.token) {
          fs.renameSync(ownFile, file);
          return null;
        }
      } finally {
        fs.rmSync(guard, { force: true });
      }
    }
  } finally {
    fs.rmSync(ownFile, { force: true });
  }
}

/** Writes the record to another file, which is then linked or renamed: a lock never appears half written. */
function written(file: string, record: LockRecord): string {
  const aside = `${file}.${randomUUID()}.new`;
  fs.writeFileSync(aside, `${JSON.stringify(record)}\n`, { mode: 0o600, flag: 'wx' });
  return aside;
}

function linked(from: string, to: string): boolean {
  try {
    fs.linkSync(from, to);
    return true;
  } catch (error) {
    if (codeOfError(error) === 'EEXIST') return false;
    throw error;
  }
}

function read(file: string): LockRecord | null {
  let text: string;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOfError(error) === 'ENOENT') return null;
    throw error;
  }
  const parsed = lockRecord.safeParse(parsedJson(text));
  if (parsed.success) return parsed.data;
  throw new Error(`${file} is not a lock of Postern's. Delete it if no Postern runs on this folder.`);
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function alive(file: string, record: LockRecord): boolean {
  return stillRuns(record, () => fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
}

function beat(file: string): void {
  const now = new Date();
  try {
    fs.utimesSync(file, now, now);
  } catch (error) {
    // Somebody has deleted the lock by hand.
    if (codeOfError(error) !== 'ENOENT') throw error;
  }
}

function holderOf({ pid, started_at, url }: LockRecord): Holder {
  return { pid, started_at, url };
}

function lockFile(dataDir: string): string {
  return path.join(path.resolve(dataDir), 'lock.json');
}

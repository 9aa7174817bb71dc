import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { machine, processStarted, stillRuns } from './lock-holder.js';

/** How often a holder shows that it is there, for processes on other machines, which cannot look for its pid. */
const heartbeatMs = 10_000;

const lockRecord = z.object({
  /** Of this one taking of the lock. */
  token: z.uuid(),
  pid: z.int().positive(),
  /** The kernel's count for the process's start, where there is one (Linux): tells it from a later one of the same pid. */
  process_started: z.string().nullable(),
  /** Host and pid namespace: only within the same one does the pid mean anything. */
  machine: z.string(),
  started_at: z.iso.datetime(),
  url: z.url().nullable(),
});
type LockRecord = z.infer<typeof lockRecord>;

/** Who has a data folder open. `url` is where it serves, once it does. */
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

/** Takes the data folder for this process; throws `FolderHeldError` where another (or this one already) has it. */
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

/** Tells other processes where this one, which holds the folder, serves. */
export function setUrl(dataDir: string, url: string | null): void {
  const file = lockFile(dataDir);
  const record = held.get(file);
  if (record === undefined) throw new Error(`This process does not hold the data folder ${dataDir}.`);
  const next = { ...record, url };
  fs.renameSync(written(file, next), file);
  held.set(file, next);
}

/** Who has the folder open now; null where nobody has. */
export function readHolder(dataDir: string): Holder | null {
  const file = lockFile(dataDir);
  const record = read(file);
  return record === null || !alive(file, record) ? null : holderOf(record);
}

/**
 * Takes the lock at `file`; answers who has it where someone has. A lock left by a dead process is replaced under a
 * second lock named after it: of any number of processes that find it, one gets that, and a late one finds a new
 * record behind it.
 */
function take(file: string, record: LockRecord): Holder | null {
  const own = written(file, record);
  try {
    while (true) {
      if (linked(own, file)) return null;
      const found = read(file);
      if (found === null) continue;
      if (alive(file, found)) return holderOf(found);
      const guard = `${file}.${found.token}`;
      const rival = take(guard, { ...record, token: randomUUID() });
      if (rival !== null) return rival;
      try {
        if (read(file)?.token === found.token) {
          fs.renameSync(own, file);
          return null;
        }
      } finally {
        fs.rmSync(guard, { force: true });
      }
    }
  } finally {
    fs.rmSync(own, { force: true });
  }
}

/** A lock appears with its content or not at all: written aside, then linked to its name. */
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
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

function read(file: string): LockRecord | null {
  let text: string;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
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
    // Somebody deleted the lock by hand; the next start will tell.
    if (!hasCode(error, 'ENOENT')) throw error;
  }
}

function holderOf({ pid, started_at, url }: LockRecord): Holder {
  return { pid, started_at, url };
}

function lockFile(dataDir: string): string {
  return path.join(path.resolve(dataDir), 'lock.json');
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

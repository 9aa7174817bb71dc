import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { databaseWorker } from '../../../support/build.js';

/** Runs before the database's worker and watches its fsyncs: each file's name goes to a log. */
const logFsyncs = (log: string) => `
  const { fsyncSync } = fs;
  fs.fsyncSync = (descriptor) => {
    fs.appendFileSync(${JSON.stringify(log)}, fs.readlinkSync('/proc/self/fd/' + descriptor) + '\\n');
    fsyncSync(descriptor);
  };`;

/** From the moment that a file is there, writing to other files whose path has `part` in it meets a full disk. */
const fillDisk = (flag: string, part: string) => `
  const { writeSync } = fs;
  fs.writeSync = (descriptor, ...rest) => {
    const full = fs.existsSync(${JSON.stringify(flag)}) && fs.readlinkSync('/proc/self/fd/' + descriptor).includes('${part}');
    if (!full) return writeSync(descriptor, ...rest);
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  };`;
const fillTablesWhen = (flag: string) => fillDisk(flag, '/base/');
const fillLogWhen = (flag: string) => fillDisk(flag, '/pg_wal/');

/** From the moment that a file is there, the thread ends at its next write. */
const dieWhen = (flag: string) => `
  const { writeSync } = fs;
  fs.writeSync = (...write) => (fs.existsSync(${JSON.stringify(flag)}) ? process.exit(7) : writeSync(...write));`;

/** The fsyncs of the system must fail, from the moment that a file is there. */
const failFsyncWhen = (flag: string) => `
  const { fsyncSync } = fs;
  fs.fsyncSync = (descriptor) => {
    if (!fs.existsSync(${JSON.stringify(flag)})) return fsyncSync(descriptor);
    throw Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' });
  };`;

const changes = { logFsyncs, fillTablesWhen, fillLogWhen, dieWhen, failFsyncWhen };

/** The database's worker with a changed view of the disk; `file` is the log or the flag. */
export async function changedWorker(change: keyof typeof changes, file: string): Promise<URL> {
  const worker = `${file}.mjs`;
  const program = `import fs from 'node:fs';${changes[change](file)}\nawait import(${JSON.stringify(databaseWorker.href)});\n`;
  await writeFile(worker, program);
  return new URL(`file://${path.resolve(worker)}`);
}

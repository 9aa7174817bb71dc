// Runs programs of node_modules one after the other, each with its arguments as a line; the first that fails ends it.
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const programs = path.resolve(import.meta.dirname, '../node_modules/.bin');

/** @param {readonly string[]} lines */
export function runAll(lines) {
  for (const line of lines) {
    const PATH = [programs, process.env.PATH].join(path.delimiter);
    const { status, error } = spawnSync(line, { shell: true, stdio: 'inherit', env: { ...process.env, PATH } });
    if (error !== undefined) throw error;
    if (status !== 0) process.exit(status ?? 1);
  }
}

import { readdirSync, readFileSync } from 'node:fs';

/** The upload workers of this process, as Linux lists them. */
export function uploadWorkers(parent = process.pid): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter(
      (pid) => Number.isInteger(pid) && parentOf(pid) === parent && read(pid, 'cmdline').includes('upload-worker'),
    );
}

/** Bytes of memory that this process and its upload workers have. */
export function memoryInUse(): number {
  return [process.pid, ...uploadWorkers()].reduce((sum, pid) => sum + residentOf(pid), 0);
}

function residentOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(read(pid, 'status'))?.[1] ?? 0) * 1024;
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)/m.exec(read(pid, 'status'))?.[1]);
}

/** It may have ended meanwhile. */
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

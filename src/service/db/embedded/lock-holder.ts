import fs from 'node:fs';
import { hostname } from 'node:os';
import { codeOfError } from '../../../shared/errors/code-of-error.js';

/** Without a heartbeat for this long, a holder on another machine counts as dead. */
const maxSilenceMs = 60_000;

/** Where a pid is valid: the host, and on Linux the pid namespace, because containers may share a volume. */
export const machine = `${hostname()} ${pidNamespace()}`.trim();

/** Whether the process that wrote a lock still runs. `lastHeartbeat` returns the time of its last sign of life. */
export function stillRuns(
  holder: { readonly pid: number; readonly process_started: string | null; readonly machine: string },
  lastHeartbeat: () => number,
): boolean {
  if (holder.machine !== machine) return Date.now() - lastHeartbeat() < maxSilenceMs;
  if (!exists(holder.pid)) return false;
  const started = processStarted(holder.pid);
  return started === null || holder.process_started === null || started === holder.process_started;
}

/** When a process started, in the kernel's ticks since boot; null where that is not available. */
export function processStarted(pid: number): string | null {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in brackets and may hold anything; the start time is the 22nd.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it exists, but belongs to another user.
    return codeOfError(error) === 'EPERM';
  }
}

function pidNamespace(): string {
  try {
    return fs.readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

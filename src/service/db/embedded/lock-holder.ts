import fs from 'node:fs';
import { hostname } from 'node:os';

/** Without a sign of life for this long, a holder on another machine counts as gone. */
const silenceMs = 60_000;

/** What a pid is looked up in: the host, and on Linux the pid namespace, as containers may share a volume. */
export const machine = `${hostname()} ${pidNamespace()}`.trim();

/** Whether the process that wrote a lock still runs. `lastSign` answers when it last showed itself. */
export function stillRuns(
  holder: { readonly pid: number; readonly process_started: string | null; readonly machine: string },
  lastSign: () => number,
): boolean {
  if (holder.machine !== machine) return Date.now() - lastSign() < silenceMs;
  if (!exists(holder.pid)) return false;
  const started = processStarted(holder.pid);
  return started === null || holder.process_started === null || started === holder.process_started;
}

/** When a process started, as the kernel counts it (ticks since boot); null where that is not to be had. */
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
    // EPERM: it is there, and another user's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function pidNamespace(): string {
  try {
    return fs.readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

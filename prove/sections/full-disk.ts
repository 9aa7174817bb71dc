import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { open, rm, unlink } from 'node:fs/promises';
import { type Check, judged, notTried } from '../support/check.js';
import { send } from '../support/http.js';
import { type Instance, startInstance } from '../support/instance.js';
import type { LocalProof } from '../support/proof.js';
import { createTenant } from '../support/tenant.js';

const named = { row: 'API4', name: 'full disk' } as const;

/** A command that runs another one in a mount namespace where the folder is a small tmpfs (unshare(1), mount(8)). */
function smallDisk(folder: string): string[] {
  const script = 'mount -t tmpfs -o size=192m,mode=0700 prove "$0" && cd "$0" && exec "$@"';
  return ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', script, folder];
}

/** Writes on a full disk are refused with 503, reads go on, and writes work again once there is room. */
export async function fullDisk({ program }: LocalProof): Promise<Check[]> {
  const [command = '', ...args] = smallDisk('/mnt');
  if (spawnSync(command, [...args, 'true']).status !== 0) return [notTried(named, 'a tmpfs cannot be mounted here')];
  const instance = await startInstance({ program, runner: smallDisk });
  // The tmpfs is seen by the server alone; its process leads there (proc(5), /proc/pid/root).
  const ballast = `/proc/${instance.pid()}/root${instance.dataDir}/ballast`;
  try {
    const { writeKey: credential } = await createTenant(instance, 'Enterprise');
    await fill(ballast);
    let names = 0;
    const write = () => {
      names += 1;
      const body = { name: `project ${names}`, description: 'd'.repeat(2_000) };
      return send(instance.url, { path: '/api/projects', credential, body });
    };
    const faults: string[] = [];
    const statuses = new Map<number, number>();
    for (let n = 0; n < 200; n += 1) {
      const { status, retryAfter } = await write();
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 0 || (status >= 500 && status !== 503)) faults.push(`a write: ${status}`);
      if (status === 503 && retryAfter === undefined) faults.push('a 503 without Retry-After');
      if (status !== 200 && n > 20) break;
    }
    const read = await send(instance.url, { path: '/api/projects', credential });
    if (read.status !== 200) faults.push(`a read on the full disk: ${read.status}`);
    await unlink(ballast);
    const again = await write();
    if (again.status !== 200) faults.push(`a write once there is room again: ${again.status}`);
    const counts = [...statuses].map(([status, count]) => `${count} x ${status}`).join(', ');
    return [judged(named, `writes: ${counts}; read ${read.status}; with room again ${again.status}`, faults)];
  } finally {
    await end(instance, ballast);
  }
}

/** Writes until there is no room left. */
async function fill(path: string): Promise<void> {
  const file = await open(path, 'w');
  const block = Buffer.alloc(64 * 1024, 1);
  try {
    for (;;) await file.write(block);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  } finally {
    await file.close();
  }
}

async function end(instance: Instance, ballast: string): Promise<void> {
  if (existsSync(ballast)) await rm(ballast);
  await instance.close();
}

import { existsSync } from 'node:fs';
import { access, constants, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import manifest from '../../../package.json' with { type: 'json' };
import { keptFiles } from '../../service/backup/backup-format.js';
import { migrations } from '../../service/db/migrations/index.js';
import { error, type Finding, ok, warning } from './finding.js';

const mebibyte = 1024 ** 2;
/** Free space, in MiB: below the first nothing can be written soon; a sync of all feeds takes about the second. */
const minFree = 200;
const usualFree = 2048;

const oldestNode = [20, 19] as const;

/** The versions of Node, of this program and of its schema. */
export function checkVersions(node: string = process.versions.node): Finding {
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const last = Object.keys(migrations).at(-1);
  const [needed, neededMinor] = oldestNode;
  const text = `Postern ${manifest.version}, schema ${last}, Node ${node}`;
  const isOld = major < needed || (major === needed && minor < neededMinor);
  return isOld ? error('versions', `${text}: it needs Node ${oldestNode.join('.')} or newer`) : ok('versions', text);
}

/** Whether the data folder can be used, and only by its owner. */
export async function checkDataFolder(dataDir: string): Promise<Finding[]> {
  if (!existsSync(dataDir)) return [ok('data folder', `${dataDir} is not there yet: the first start makes it`)];
  const folder = await stat(dataDir);
  if (!folder.isDirectory()) return [error('data folder', `DATA_DIR: ${dataDir} is no folder`)];
  const findings: Finding[] = [];
  if (!(await mayWrite(dataDir)))
    findings.push(error('data folder', `DATA_DIR: this user may not write to ${dataDir}`));
  if ((folder.mode & 0o077) !== 0) {
    findings.push(warning('data folder', `others may look into ${dataDir}: chmod 700 ${dataDir}`));
  }
  for (const name of keptFiles) {
    const file = path.join(dataDir, name);
    const mode = (await stat(file).catch(() => null))?.mode ?? 0;
    if ((mode & 0o077) !== 0) findings.push(error('data folder', `others may read ${file}: chmod 600 ${file}`));
  }
  return findings.length === 0 ? [ok('data folder', `${dataDir} is for its owner alone`)] : findings;
}

export async function checkDisk(dataDir: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(nearestFolder(dataDir));
  return judgeFree(Math.floor((bavail * bsize) / mebibyte));
}

/** @param free MiB that this user may still write */
export function judgeFree(free: number): Finding {
  const text = `${free} MiB are free for DATA_DIR`;
  if (free < minFree) return error('disk', `${text}: writes will fail soon`);
  return free < usualFree ? warning('disk', `${text}: a sync of all feeds takes about ${usualFree}`) : ok('disk', text);
}

async function mayWrite(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}

function nearestFolder(folder: string): string {
  const absolute = path.resolve(folder);
  return existsSync(absolute) || path.dirname(absolute) === absolute ? absolute : nearestFolder(path.dirname(absolute));
}

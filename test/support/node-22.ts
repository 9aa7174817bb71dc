import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const version = '22.23.3';

/** A Node of 22.19 or newer, which programs of others need: the running one, or the npm package `node` through npx. */
export async function node22(): Promise<string> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 19)) return process.execPath;
  const args = ['--yes', `--package=node@${version}`, '--', 'node', '--print', 'process.execPath'];
  const { stdout } = await promisify(execFile)('npx', args);
  return stdout.trim();
}

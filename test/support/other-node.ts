import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The program of another version of Node: the npm package `node`, through npx. */
export async function otherNode(version: string): Promise<string> {
  const args = ['--yes', `--package=node@${version}`, '--', 'node', '--print', 'process.execPath'];
  const { stdout } = await promisify(execFile)('npx', args, { maxBuffer: 1_000_000 });
  return stdout.trim();
}

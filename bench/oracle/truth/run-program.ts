import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

/**
 * Runs an interpreter, in the tree, and returns what it prints; null where it is not installed. Its script only parses: nothing
 * of the tree is executed.
 *
 * @param args what names a file of `bench/` is relative to the repository
 */
export function runProgram(program: string, args: readonly string[], cwd: string, input: string): string | null {
  const { error, status, stdout, stderr } = spawnSync(
    program,
    args.map((each) => (each.startsWith('bench/') ? resolve(each) : each)),
    // Beside a manifest of the tree Go would look for another Go.
    { cwd, input, encoding: 'utf8', maxBuffer: 1 << 28, env: { ...process.env, GO111MODULE: 'off' } },
  );
  if (error !== undefined) {
    if ('code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${stderr.slice(0, 2000)}`);
  return stdout;
}

import { reach } from '../../src/reach/commands/program.js';

export const key = 'test_live_0123456789abcdef';

/** Runs the command in this process, as the program does; the key that it was given is nowhere to be read. */
export async function runReach(args: readonly string[], env: Record<string, string> = {}, interactive = false) {
  const out = { stdout: '', stderr: '' };
  const exitCode = await reach(args, {
    env,
    version: '9.8.7',
    interactive,
    // Time stands still, so that no progress is written on a slow machine.
    now: () => 0,
    stdout: (text) => {
      out.stdout += text;
    },
    stderr: (text) => {
      out.stderr += text;
    },
  });
  if ((out.stdout + out.stderr).includes(env['SERVICE_API_KEY'] || key)) throw new Error('the key was printed');
  return { exitCode, ...out };
}

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type StartedProgram, startProgram } from './started-program.js';

/** Builds this checkout as `npm start` does. Returns its folder. */
export function buildPostern(): string {
  const { status, stderr } = spawnSync('npm', ['run', 'prestart'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the build failed: ${stderr}`);
  return process.cwd();
}

/** Limits on calls so high that no bench meets them. */
const limits = {
  LIMIT_RATE_PER_CREDENTIAL: '1000000',
  LIMIT_RATE_PER_ORGANISATION: '1000000',
  LIMIT_AT_ONCE_PER_CREDENTIAL: '10000',
  LIMIT_AT_ONCE_PER_ORGANISATION: '10000',
};

/** Starts the program of a built checkout with its default settings, but for the limits and those given. */
export function startPostern(
  checkout: string,
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<StartedProgram> {
  const program = path.resolve(checkout, 'dist/postern.js');
  if (!existsSync(program)) throw new Error(`${program} is not there: run npm ci and npm run build in ${checkout}`);
  return startProgram({ args: [program], env: { ...limits, DATA_DIR: dataDir, ...settings }, cwd: dataDir });
}

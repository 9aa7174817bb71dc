import { homedir } from 'node:os';
import { join } from 'node:path';
import type { LoadingEvidence, ReadTree } from '../analysis/loading.js';
import { javascriptReader } from '../languages/javascript/reader.js';

/** How to look for what is loaded, besides reading the project's own source. */
export interface LoadingOptions {
  /** Follow imports into the dependencies, where they are installed or can be had. */
  readonly deep?: boolean | undefined;
  /** Folders with records of runs. */
  readonly coverage?: readonly string[] | undefined;
  readonly env?: NodeJS.ProcessEnv | undefined;
  readonly progress: (step: string) => void;
}

/**
 * The evidence of what is loaded: from recorded runs, and from the dependencies that are followed. The code for either is
 * loaded only where it is asked for.
 *
 * @throws FileError for a folder without recorded runs
 */
export async function loadingEvidence(
  { deep = false, coverage = [], env = {}, progress }: LoadingOptions,
  { tree, lockfiles, uses, reachedFiles, gaps }: ReadTree,
): Promise<readonly LoadingEvidence[]> {
  const found: LoadingEvidence[] = [];
  if (coverage.length > 0) {
    const { readRuns } = await import('../runs/read-runs.js');
    found.push(...(await readRuns({ tree, lockfiles, folders: coverage, progress })));
  }
  if (deep) {
    const { followDependencies } = await import('../deep/follow-dependencies.js');
    const scripts = [...reachedFiles].filter(([file]) => javascriptReader.reads(file));
    const input = { tree, lockfiles, uses, reachedFiles: new Map(scripts), env, progress };
    const ofNpm = gaps.filter(({ ecosystem }) => ecosystem === 'npm');
    found.push(await followDependencies({ ...input, gaps: ofNpm, cacheFolder: cacheFolder(env) }));
  }
  return found;
}

/** Where the archives of packages are kept (XDG Base Directory Specification). */
function cacheFolder(env: NodeJS.ProcessEnv): string {
  const base = env['XDG_CACHE_HOME'];
  return join(base === undefined || base === '' ? join(homedir(), '.cache') : base, 'postern', 'packages');
}

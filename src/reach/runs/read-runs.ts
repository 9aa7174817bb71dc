import { formatCount } from '../../shared/text/number-text.js';
import { plainText } from '../../shared/text/plain-text.js';
import type { LoadedPackage, LoadingEvidence } from '../analysis/loading.js';
import type { TreeLockfile } from '../analysis/tree-lockfiles.js';
import { FileError } from '../file-error.js';
import { pythonPackageFinder } from '../languages/python/packages.js';
import { pythonStandardLibrary } from '../languages/python/standard-library.js';
import { readRecording } from './recordings.js';
import { type RunFile, runFilesIn, runLimits } from './run-files.js';
import { scriptPackageFinder } from './script-packages.js';

interface RunsInput {
  readonly tree: { readonly root: string };
  readonly lockfiles: readonly TreeLockfile[];
  /** Of recorded runs, each of a test run or a service. */
  readonly folders: readonly string[];
  readonly progress: (step: string) => void;
}

const expected = 'JSON of NODE_V8_COVERAGE, the output of python -X importtime or -v, or a JSON list of sys.modules';

/**
 * The packages that recorded runs loaded, one evidence for each folder. A file of V8 coverage names every script that was
 * loaded, whether a function of it ran or not; Python's log names every module. A run shows nothing of what it did not load.
 *
 * @throws FileError for a folder that cannot be read, or that has no recording
 */
export async function readRuns({ tree, lockfiles, folders, progress }: RunsInput): Promise<LoadingEvidence[]> {
  const packageOfScript = scriptPackageFinder(tree.root, lockfiles);
  const pythonNames = lockfiles.flatMap(({ packages }) => packages.filter(({ ecosystem }) => ecosystem === 'PyPI'));
  const pythonPackages = pythonPackageFinder([...new Set(pythonNames.map(({ name }) => name))]);
  const runs: LoadingEvidence[] = [];
  for (const folder of folders) {
    const files = runFilesIn(folder);
    if (files === null)
      throw new FileError(`--coverage ${shown(folder)} is no folder that can be read: expected ${expected}`);
    const loaded = new Map<string, LoadedPackage>();
    const add = (found: Pick<LoadedPackage, 'ecosystem' | 'name' | 'version'>) =>
      loaded.set(`${found.ecosystem} ${found.name} ${found.version}`, { ...found, chain: [] });
    let recordings = 0;
    for (const file of withinLimits(files, progress)) {
      progress(`reading recorded runs: ${formatCount(recordings)} files`);
      const recording = await readRecording(file);
      if (recording === null) continue;
      recordings++;
      for (const url of recording.scripts) {
        const found = packageOfScript(url);
        if (found !== null) add({ ecosystem: 'npm', ...found });
      }
      for (const name of recording.modules) {
        if (pythonStandardLibrary.has(name.split('.')[0] ?? '')) continue;
        for (const found of pythonPackages.packagesOf(name)) add({ ecosystem: 'PyPI', name: found, version: null });
      }
    }
    if (recordings === 0) throw new FileError(`--coverage ${shown(folder)} has no recorded run: expected ${expected}`);
    runs.push({ kind: 'run', loaded: [...loaded.values()], followed: [], gaps: [] });
  }
  return runs;
}

function* withinLimits(files: readonly RunFile[], progress: (step: string) => void): Generator<RunFile> {
  let left = runLimits.bytes;
  let passedOver = 0;
  for (const file of files) {
    if (file.bytes > runLimits.fileBytes || file.bytes > left) {
      passedOver++;
      continue;
    }
    left -= file.bytes;
    yield file;
  }
  if (passedOver > 0) progress(`${formatCount(passedOver)} files of recorded runs are too large to be read`);
}

function shown(path: string): string {
  return plainText(path, 500);
}

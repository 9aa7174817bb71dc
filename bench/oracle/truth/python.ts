import * as z from 'zod';
import { productionFiles } from '../production-files.js';
import { moduleNames } from './python-names.js';
import { runProgram } from './run-program.js';
import type { TruthFinder } from './truth.js';

const printed = z.object({ modules: z.record(z.string(), z.string()), strings: z.record(z.string(), z.string()) });

/** Imports by Python's `ast`, and dotted names in settings. Modules are matched to distributions by name and by a small table. */
export const pythonTruth: TruthFinder = async (folder, listed) => {
  const files = productionFiles(folder, /\.py$/);
  const output = runProgram('python3', ['bench/oracle/truth/python.py'], folder, files.join('\n'));
  if (output === null) return null;
  const { modules, strings } = printed.parse(JSON.parse(output));
  const used = new Map<string, string>();
  const ownFolders = new Set(files.flatMap((file) => file.split('/').slice(0, -1)));
  for (const [name] of listed) {
    for (const module of moduleNames(name)) {
      const found = [...Object.entries(modules), ...Object.entries(strings)].find(
        ([each]) => each === module || each.startsWith(`${module}.`),
      );
      // A module of the project itself hides a distribution of that name.
      if (found === undefined || used.has(name) || ownFolders.has(module)) continue;
      used.set(name, `${found[1]} imports ${found[0]}`);
    }
  }
  return { ecosystem: 'PyPI', used };
};

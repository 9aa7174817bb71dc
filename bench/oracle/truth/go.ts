import * as z from 'zod';
import { productionFiles } from '../production-files.js';
import { longestPrefix } from './longest-prefix.js';
import { runProgram } from './run-program.js';
import type { TruthFinder } from './truth.js';

const printed = z.record(z.string(), z.string());

/** Imports by `go/parser`; a module is used if it has the longest path that begins an import. */
export const goTruth: TruthFinder = async (folder, listed) => {
  const files = productionFiles(folder, /\.go$/);
  const output = runProgram('go', ['run', 'bench/oracle/truth/imports.go'], folder, files.join('\n'));
  if (output === null) return null;
  const used = new Map<string, string>();
  for (const [imported, place] of Object.entries(printed.parse(JSON.parse(output)))) {
    const module = longestPrefix(imported, '/', listed);
    if (module !== null && !used.has(module)) used.set(module, `${place} imports ${imported}`);
  }
  return { ecosystem: 'Go', used };
};

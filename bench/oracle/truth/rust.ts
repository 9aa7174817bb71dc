import * as z from 'zod';
import { filesOf } from '../production-files.js';
import { runProgram } from './run-program.js';
import type { TruthFinder } from './truth.js';

const printed = z.record(z.string(), z.string());

/** Text alone: the crates of each manifest that its `src` names. Weaker than a parser, and said so. */
export const rustTruth: TruthFinder = async (folder, listed) => {
  const manifests = filesOf(folder).filter(
    (file) => /(?:^|\/)Cargo\.toml$/.test(file) && !/(?:^|\/)(?:tests?|fixtures|examples|benches)\//.test(file),
  );
  const output = runProgram('python3', ['bench/oracle/truth/rust.py'], folder, manifests.join('\n'));
  if (output === null) return null;
  const found = Object.entries(printed.parse(JSON.parse(output))).filter(([name]) => listed.has(name));
  return { ecosystem: 'crates.io', used: new Map(found.map(([name, place]) => [name, `${place} names it`])) };
};

import * as z from 'zod';
import { filesOf, productionFiles } from '../production-files.js';
import { longestPrefix } from './longest-prefix.js';
import { runProgram } from './run-program.js';
import type { TruthFinder } from './truth.js';

const printed = z.object({
  gems: z.array(z.object({ name: z.string(), groups: z.array(z.string()), required: z.boolean(), place: z.string() })),
  requires: z.record(z.string(), z.string()),
  bundler: z.boolean(),
});

/**
 * By Ruby's Ripper: what `Bundler.require` loads at the start (gems of the Gemfile without a group or of `production`, where an
 * application calls it), and what code requires.
 */
export const rubyTruth: TruthFinder = async (folder, listed) => {
  const files = [
    ...productionFiles(folder, /\.(?:rb|ru)$/),
    ...filesOf(folder).filter((file) => /(?:^|\/)Gemfile$/.test(file)),
  ];
  const output = runProgram('ruby', ['bench/oracle/truth/ruby.rb'], folder, files.join('\n'));
  if (output === null) return null;
  const { gems, requires, bundler } = printed.parse(JSON.parse(output));
  const used = new Map<string, string>();
  const isRun = (groups: readonly string[]) =>
    groups.length === 0 || groups.some((group) => group === 'default' || group === 'production');
  for (const { name, groups, required, place } of gems) {
    if (bundler && required && isRun(groups) && listed.has(name))
      used.set(name, `${place} is loaded by Bundler.require`);
  }
  for (const [path, place] of Object.entries(requires)) {
    const gem = longestPrefix(path, '/', listed) ?? longestPrefix(path.replaceAll('/', '-'), '-', listed);
    if (gem !== null && !used.has(gem)) used.set(gem, `${place} requires '${path}'`);
  }
  return { ecosystem: 'RubyGems', used };
};

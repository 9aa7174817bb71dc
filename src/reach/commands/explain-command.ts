import type { Command } from 'commander';
import * as z from 'zod';
import { plainText } from '../../shared/text/plain-text.js';
import { explanation, findPackage, similarNames } from '../report/explain.js';
import { type CommandContext, fail } from './cli-context.js';
import { startProgress } from './progress.js';

const examples = `
Examples:
  reach explain lodash                  all versions of it in this folder's lock files
  reach explain lodash@4.17.21 api      one version, in another folder
  reach explain pkg:pypi/requests@2.32.3
  reach explain qs --deep               the files that load it, through the installed dependencies

Needs no key and sends nothing.
Exits with 0 when the package was found, 1 when not, 2 for wrong usage.
`;

const flags = z.object({
  entry: z.array(z.string()).default([]),
  workspace: z.string().optional(),
  deep: z.boolean().default(false),
  coverage: z.array(z.string()).default([]),
  json: z.boolean().default(false),
});

export function addExplain(program: Command, context: CommandContext): void {
  const { env, version, stdout } = context;
  program
    .command('explain')
    .description(
      'Shows where a source tree uses a package, what of it, what loads it or brings it in, and how sure that is.',
    )
    .argument('<PACKAGE>', 'its name, name@version, or a package URL')
    .argument('[DIR]', 'the folder of the source', '.')
    .option('--entry <FILE...>', 'files that production starts from, instead of those that are found')
    .option('--workspace <NAME|PATH>', 'only what this package or folder uses, with the packages of the tree it needs')
    .option('--deep', 'follow imports through the dependencies, where they are installed')
    .option('--coverage <DIR...>', 'folders with what runs have loaded: V8 coverage, or Python’s import log')
    .option('--json', 'print one JSON array')
    .addHelpText('after', examples)
    .action(async (name: string, folder: string, rawFlags: unknown) => {
      const { entry: entries, json, ...rest } = flags.parse(rawFlags);
      const { analyzeWithUsageErrors } = await import('../report/run-analysis.js');
      const { failureOf } = await import('../remote/failure.js');
      const progress = startProgress(context);
      try {
        const options = { ...rest, folder, entries, env, version, progress: progress.show };
        const { report } = await analyzeWithUsageErrors(options).finally(progress.end);
        const found = findPackage(report, name);
        stdout(json ? `${JSON.stringify(found)}\n` : found.map(explanation).join(''));
        if (found.length > 0) return;
        const similar = similarNames(report, name);
        fail(context, {
          message: `${plainText(name)} is in none of ${report.lockfiles.map(({ path }) => plainText(path)).join(', ')}`,
          advice: similar.length === 0 ? null : `Did you mean ${similar.map((each) => plainText(each)).join(', ')}?`,
        });
      } catch (error) {
        fail(context, failureOf(error));
      }
    });
}

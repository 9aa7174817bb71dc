import type { Command } from 'commander';
import * as z from 'zod';
import { lockfileNames } from '../lockfiles/kinds.js';
import { reportText } from '../sync/sync-report.js';
import { type CommandContext, environmentHelp, fail } from './cli-context.js';
import { startProgressLater } from './progress.js';

const examples = `
Examples:
  reach sync --project prj_1                          all lock files of this tree, each as a source of its own
  reach sync api/package-lock.json --project prj_1    one lock file
  reach sync --project prj_1 --dry-run                what it would send, and what it leaves out, without a key
  reach sync --project prj_1 --force                  also where most packages of a source are gone
  reach sync --project prj_1 --json                   the result as one JSON object

${environmentHelp}

Reads ${lockfileNames}.
Of a folder those of one tool for each ecosystem; what is left out is listed with the reason.
Exits with 0 when done, 1 when refused or failed, 2 for wrong usage.
`;

const flags = z.object({
  project: z.string(),
  source: z.string().optional(),
  force: z.boolean().default(false),
  dryRun: z.boolean().default(false),
  json: z.boolean().default(false),
});

export function addSync(program: Command, context: CommandContext): void {
  const { env, version, stdout } = context;
  program
    .command('sync')
    .description('Makes the tech stack of a project what its lock files say; alerts follow.')
    .argument('[FILE|DIR]', 'a lock file, or a folder with lock files anywhere in it', '.')
    .requiredOption('--project <ID>', 'the project, by its id')
    .option('--source <NAME>', 'the name that the packages are kept under (default: repository:path)')
    .option('--force', 'also remove more than half of the packages of a source')
    .option('--dry-run', 'read and count, but send nothing')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples)
    .action(async (path: string, given: unknown) => {
      const { json, project, source, force, dryRun } = flags.parse(given);
      const options = { path, project, force, dryRun, ...(source === undefined ? {} : { source }) };
      const { sync } = await import('../sync/sync.js');
      const progress = startProgressLater(context);
      const report = await sync(options, env, `reach/${version}`, progress.show).finally(progress.end);
      stdout(json ? `${JSON.stringify(report)}\n` : reportText(report));
      if (report.error !== null) fail(context, report.error);
    });
}

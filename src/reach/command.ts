import { Command, CommanderError } from 'commander';
import * as z from 'zod';
import { sync, UsageError } from './sync.js';
import { reportText } from './sync-report.js';

/** What the command works with; the process has one, and so has a test. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly version: string;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}

/** 0 done, 1 refused or failed, 2 wrong usage. */
export type ExitCode = 0 | 1 | 2;

const examples = `
Examples:
  reach sync --project prj_1                          the lock files in this folder
  reach sync api/package-lock.json --project prj_1    one lock file
  reach sync --project prj_1 --dry-run                what it would send, without a key
  reach sync --project prj_1 --json                   the result as one JSON object

Environment:
  SERVICE_API_KEY   a ReadWrite API key
  SERVICE_API_URL   the service (default http://127.0.0.1:3000)

Reads npm-shrinkwrap.json, package-lock.json, pnpm-lock.yaml, yarn.lock and composer.lock.
Exits with 0 when done, 1 when refused or failed, 2 for wrong usage.
`;

const syncFlags = z.object({
  project: z.string(),
  source: z.string().optional(),
  dryRun: z.boolean().default(false),
  json: z.boolean().default(false),
});

/** Runs `reach` with its arguments (without node and script) and tells the exit code. */
export async function reach(
  args: readonly string[],
  { env, version, stdout, stderr }: Surroundings,
): Promise<ExitCode> {
  let exitCode: ExitCode = 0;
  const program = new Command('reach')
    .description('Brings what a source tree uses to the vulnerability service.')
    .version(version)
    .exitOverride()
    .configureOutput({ writeOut: stdout, writeErr: stderr });
  program
    .command('sync')
    .description('Makes the tech stack of a project what a lock file says; alerts follow.')
    .argument('[FILE|DIR]', 'a lock file, or a folder with lock files directly in it', '.')
    .requiredOption('--project <ID>', 'the project, by its id')
    .option('--source <NAME>', 'the name that the packages are kept under (default: the path in the repository)')
    .option('--dry-run', 'read and count, but send nothing')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples)
    .action(async (path: string, given: unknown) => {
      const { json, project, source, dryRun } = syncFlags.parse(given);
      const options = { path, project, dryRun, ...(source === undefined ? {} : { source }) };
      const report = await sync(options, env, `reach/${version}`);
      stdout(json ? `${JSON.stringify(report)}\n` : reportText(report));
      if (report.error === null) return;
      exitCode = 1;
      const { message, advice } = report.error;
      stderr(`reach: ${message}\n${advice === null ? '' : `${advice}\n`}`);
    });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!(error instanceof UsageError)) throw error;
    stderr(`reach: ${error.message}\nSee: reach sync --help\n`);
    return 2;
  }
}

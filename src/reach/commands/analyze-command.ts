import type { Command } from 'commander';
import * as z from 'zod';
import { exposure } from '../../procedures/vulnerability.js';
import { number } from '../../shared/text/number-text.js';
import type { Analyzed } from '../report/analyze.js';
import { atLeast, type FailingBand, failingBands } from '../report/bands.js';
import { analyzedText, countBands, countUsages } from './analyze-text.js';
import { type ExitCode, progressLine, type Surroundings, tellError } from './cli-context.js';

const examples = `
Examples:
  reach analyze --project prj_1                       this folder, judged by the service
  reach analyze api --project prj_1 --exposure internet
  reach analyze --output usage.json                   the report alone, without a key
  reach analyze --project prj_1 --entry src/main.ts   where production starts
  reach analyze --project prj_1 --workspace @acme/api one package of a monorepo
  reach analyze --project prj_1 --fail-on likely_exploitable --sarif reach.sarif

Environment:
  SERVICE_API_KEY   a ReadWrite API key
  SERVICE_API_URL   the service (default http://127.0.0.1:3000)

Reads source and lock files, and runs nothing of the project; no source text is sent, only paths, lines and names.
Exits with 0 when done, 1 when refused or failed, 2 for wrong usage, 3 when --fail-on matches.
`;

const flags = z.object({
  project: z.string().optional(),
  output: z.string().optional(),
  sarif: z.string().optional(),
  entry: z.array(z.string()).default([]),
  workspace: z.string().optional(),
  exposure: z.string().optional(),
  failOn: z.string().optional(),
  json: z.boolean().default(false),
});

/** Adds `reach analyze`. */
export function addAnalyze(program: Command, surroundings: Surroundings, exit: (code: ExitCode) => void): void {
  const { env, version, stdout, stderr } = surroundings;
  program
    .command('analyze')
    .description('Finds how a source tree uses its packages; with a project, uploads that and reads the verdicts.')
    .argument('[DIR]', 'the folder of the source', '.')
    .option('--project <ID>', 'the project, by its id; without it nothing is sent')
    .option('--output <FILE>', 'keep the report (reach/1, JSON) in a file')
    .option('--entry <FILE...>', 'files that production starts from, instead of those that are found')
    .option('--workspace <NAME|PATH>', 'only what this package or folder uses, with the packages of the tree it needs')
    .option('--exposure <HOW>', `declare how far the project can be reached: ${exposure.options.join(', ')}`)
    .option('--fail-on <BAND>', `exit with 3 on a verdict this bad or worse: ${failingBands.join(', ')}`)
    .option('--sarif <FILE>', 'write the verdicts as SARIF 2.1.0')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples)
    .action(async (folder: string, given: unknown) => {
      const { json, entry: entries, ...rest } = flags.parse(given);
      const progress = progressLine(surroundings);
      const options = { ...rest, folder, entries };
      const { analyze } = await import('../report/analyze.js');
      const analyzed = await analyze(options, { env, version, progress: progress.show }).finally(progress.end);
      stdout(json ? `${JSON.stringify(summary(analyzed))}\n` : analyzedText(analyzed, rest.output ?? null));
      if (analyzed.faults.length > 0) {
        const unsure = analyzed.report?.complete === false ? ', so nothing in it counts as unused' : '';
        stderr(`reach: the report is not complete${unsure}:\n`);
        for (const fault of analyzed.faults) stderr(`  ${fault}\n`);
      }
      if (analyzed.error !== null) {
        exit(1);
        tellError(surroundings, analyzed.error);
        return;
      }
      const failing = failingVerdicts(analyzed, rest.failOn);
      if (failing === 0) {
        if (rest.failOn === undefined || analyzed.upload?.verdicts.pending !== true) return;
        exit(1);
        const message = 'not all verdicts are there yet, so nothing can be said of --fail-on';
        tellError(surroundings, { message, advice: 'A large project is judged in parts: try again in a minute.' });
        return;
      }
      exit(3);
      stderr(`reach: ${number(failing)} ${failing === 1 ? 'verdict is' : 'verdicts are'} ${rest.failOn} or worse\n`);
    });
}

function failingVerdicts({ verdicts }: Analyzed, band: string | undefined): number {
  const known: FailingBand | undefined = failingBands.find((each) => each === band);
  return known === undefined || verdicts === null ? 0 : atLeast(verdicts.verdicts, known).length;
}

/** What `--json` prints. The report itself is in `--output`. */
function summary({ projectId, report, faults, upload, verdicts, error }: Analyzed) {
  return {
    project_id: projectId,
    analysis:
      report === null
        ? null
        : {
            complete: report.complete,
            faults,
            commit: report.commit,
            stats: report.stats,
            lockfiles: report.lockfiles,
            entries: report.entries,
            packages: report.dependencies.length,
            usage: countUsages(report),
          },
    upload,
    bands: verdicts === null ? null : countBands(verdicts.verdicts),
    total: verdicts?.total ?? null,
    verdicts: verdicts?.verdicts ?? null,
    error,
  };
}

import { setFlagsFromString } from 'node:v8';
import type { Command } from 'commander';
import * as z from 'zod';
import { exposure } from '../../procedures/vulnerability.js';
import { formatCount } from '../../shared/text/number-text.js';
import { atLeast, failingBand } from '../report/bands.js';
import type { AnalysisResult } from '../report/run-analysis.js';
import { hasReadNothing, searchedEcosystems } from '../report/searched.js';
import { analysisText, countBands, countUsages } from './analyze-text.js';
import { type CommandContext, environmentHelp, fail } from './cli-context.js';
import { startProgress } from './progress.js';

const examples = `
Examples:
  reach analyze --project prj_1                       this folder, judged by the service
  reach analyze api --project prj_1 --exposure internet
  reach analyze --output usage.json                   the report alone, without a key
  reach analyze --project prj_1 --entry src/main.ts   where production starts
  reach analyze --project prj_1 --workspace @acme/api one package of a monorepo
  reach analyze --deep                                also into the installed dependencies
  reach analyze --coverage coverage/tmp               also what a recorded run has loaded (NODE_V8_COVERAGE)
  reach analyze --verbose                             also every import that could not be followed
  reach analyze --project prj_1 --fail-on likely_exploitable --sarif reach.sarif

${environmentHelp}

Reads source and lock files, and runs nothing of the project; no source text is sent, only paths, lines and names.
Exits with 0 when done, 1 when refused or failed, or when --fail-on is given and no source was read, 2 for wrong usage, 3 when
--fail-on matches.
`;

const flags = z.object({
  project: z.string().optional(),
  output: z.string().optional(),
  sarif: z.string().optional(),
  entry: z.array(z.string()).default([]),
  workspace: z.string().optional(),
  deep: z.boolean().default(false),
  coverage: z.array(z.string()).default([]),
  verbose: z.boolean().default(false),
  exposure: z.string().optional(),
  failOn: z.string().optional(),
  json: z.boolean().default(false),
});

export function addAnalyze(program: Command, context: CommandContext): void {
  const { env, version, stdout, stderr, exit } = context;
  program
    .command('analyze')
    .description('Finds how a source tree uses its packages; with a project, uploads that and reads the verdicts.')
    .argument('[DIR]', 'the folder of the source', '.')
    .option('--project <ID>', 'the project, by its id; without it nothing is sent')
    .option('--output <FILE>', 'keep the report (reach/1, JSON) in a file')
    .option('--entry <FILE...>', 'files that production starts from, instead of those that are found')
    .option('--workspace <NAME|PATH>', 'only what this package or folder uses, with the packages of the tree it needs')
    .option('--deep', 'follow imports through the dependencies, where they are installed')
    .option('--coverage <DIR...>', 'folders with what runs have loaded: V8 coverage, or Python’s import log')
    .option('--exposure <HOW>', `declare how far the project can be reached: ${exposure.options.join(', ')}`)
    .option('--fail-on <BAND>', `exit with 3 on a verdict this bad or worse: ${failingBand.options.join(', ')}`)
    .option('--sarif <FILE>', 'write the verdicts as SARIF 2.1.0')
    .option('--verbose', 'list every place where a use may be hidden')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples)
    .action(async (folder: string, rawFlags: unknown) => {
      const { json, verbose, entry: entries, ...rest } = flags.parse(rawFlags);
      limitHeapGrowth();
      const progress = startProgress(context);
      const options = { ...rest, folder, entries };
      const { runAnalysis } = await import('../report/run-analysis.js');
      const result = await runAnalysis(options, { env, version, progress: progress.show }).finally(progress.end);
      stdout(json ? `${JSON.stringify(summary(result, verbose))}\n` : analysisText(result, verbose));
      if (result.faults.length > 0) {
        stderr('reach: the report is not complete, so what this may hide does not count as unused:\n');
        for (const fault of result.faults) stderr(`  ${fault}\n`);
      }
      if (result.error !== null) {
        fail(context, result.error);
        return;
      }
      const failing = failingVerdicts(result, rest.failOn);
      if (failing === 0) {
        if (rest.failOn === undefined || result.upload?.verdicts.pending !== true) return;
        const message = 'not all verdicts are there yet, so nothing can be said of --fail-on';
        fail(context, { message, advice: 'A large project is judged in parts: try again in a minute.' });
        return;
      }
      exit(3);
      stderr(
        `reach: ${formatCount(failing)} ${failing === 1 ? 'verdict is' : 'verdicts are'} ${rest.failOn} or worse\n`,
      );
    });
}

/**
 * What is read of a file is garbage soon after, and the parser's own memory is free only when that is collected. By default
 * V8 lets the heap grow to four times what is in use; by a quarter, a large tree takes two thirds of the memory.
 */
function limitHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=25');
}

function failingVerdicts({ verdicts }: AnalysisResult, failOn: string | undefined): number {
  const { data: band } = failingBand.safeParse(failOn);
  return band === undefined || verdicts === null ? 0 : atLeast(verdicts.verdicts, band).length;
}

/** What `--json` prints; with `verbose` also the places where a use may be hidden. The report itself is in `--output`. */
function summary({ projectId, report, faults, upload, verdicts, error }: AnalysisResult, verbose: boolean) {
  return {
    project_id: projectId,
    analysis:
      report === null
        ? null
        : {
            complete: report.complete,
            read_nothing: hasReadNothing(report),
            ecosystems: searchedEcosystems(report).map(({ gaps, ...searched }) => ({
              ...searched,
              unknown: searched.packages - searched.judged,
              ...(verbose && { gaps }),
            })),
            faults,
            commit: report.commit,
            stats: report.stats,
            lockfiles: report.lockfiles,
            entries: report.entries,
            packages: report.dependencies.length,
            usage: Object.fromEntries(countUsages(report)),
          },
    upload,
    bands: verdicts === null ? null : Object.fromEntries(countBands(verdicts.verdicts)),
    total: verdicts?.total ?? null,
    verdicts: verdicts?.verdicts ?? null,
    error,
  };
}

import { Command, CommanderError } from 'commander';
import * as z from 'zod';
import { UsageError } from '../remote/environment.js';
import { addAnalyze } from './analyze-command.js';
import type { CliContext, CommandContext, ExitCode } from './cli-context.js';
import { addExplain } from './explain-command.js';
import { addPlan } from './plan-command.js';
import { addSchema } from './schema-command.js';
import { addSync } from './sync-command.js';
import { addUpload } from './upload-command.js';

const flags = z.object({ knowledge: z.string().optional() });

/** Modules of commands read knowledge when they are imported, so this comes first. */
async function choose(folder: string): Promise<void> {
  const { chooseKnowledge } = await import('../knowledge/knowledge.js');
  const { KnowledgeError } = await import('../knowledge/knowledge-file.js');
  try {
    chooseKnowledge(folder);
  } catch (error) {
    throw error instanceof KnowledgeError ? new UsageError(error.message) : error;
  }
}

/** Runs `reach` with its arguments (without node and script) and answers the exit code. */
export async function reach(args: readonly string[], given: CliContext): Promise<ExitCode> {
  const { stdout, stderr, version } = given;
  let exitCode: ExitCode = 0;
  const context: CommandContext = {
    ...given,
    exit: (code) => {
      exitCode = code;
    },
  };
  const program = new Command('reach')
    .description('Brings what a source tree uses to the vulnerability service.')
    .version(version)
    .exitOverride()
    .configureOutput({ writeOut: stdout, writeErr: stderr })
    .option(
      '--knowledge <DIR>',
      'what it knows of tools and frameworks, in place of what came with it (REACH_KNOWLEDGE)',
    )
    .hook('preAction', async () => {
      const { knowledge = given.env['REACH_KNOWLEDGE'] } = flags.parse(program.opts());
      if (knowledge !== undefined && knowledge !== '') await choose(knowledge);
    });
  for (const add of [addSync, addAnalyze, addUpload, addPlan, addExplain, addSchema]) add(program, context);
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!(error instanceof UsageError)) throw error;
    stderr(`reach: ${error.message}\nSee: reach ${args[0] ?? ''} --help\n`);
    return 2;
  }
}

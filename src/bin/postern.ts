#!/usr/bin/env node
import { Command } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { EnvironmentError, readEnvironment } from '../env.js';
import { codeOfError } from '../shared/errors/code-of-error.js';
import { backupCommand, restoreCommand } from './backup-command.js';
import type { OperatorSettings } from './database-or-service.js';
import { doctorCommand } from './doctor-command.js';
import { feedsCommand } from './feeds-command.js';
import { knowledgeCommand } from './knowledge-command.js';
import { migrateCommand } from './migrate-command.js';
import { proveCommand } from './prove-command.js';
import { resetPasswordCommand } from './reset-password-command.js';
import { serve } from './serve.js';
import { verifyCommand } from './verify-command.js';

const program = new Command('postern')
  .description('A dual gateway for vulnerability posture: tRPC for frontends, MCP for agents, over one service.')
  .version(manifest.version)
  .addHelpText('after', '\nSettings come from the environment and .env; .env.example lists them.');

program
  .command('serve', { isDefault: true })
  .description('run the gateway, and the service beside it unless SERVICE_API_URL is set')
  .action(() => serve(readEnvironment()));

const operatorSettings = (): OperatorSettings => {
  const { DATA_DIR, DATABASE_URL, OPERATOR_KEY } = readEnvironment();
  return { dataDir: DATA_DIR, databaseUrl: DATABASE_URL, operatorKey: OPERATOR_KEY };
};
/** Answers the address at which this machine reaches the server of these settings. */
const ownAddress = (): string => {
  const { PUBLIC_URL, PORT } = readEnvironment();
  return PUBLIC_URL ?? `http://127.0.0.1:${PORT}`;
};
program.addCommand(feedsCommand(operatorSettings));
program.addCommand(resetPasswordCommand(operatorSettings));
program.addCommand(proveCommand(operatorSettings));
program.addCommand(backupCommand(operatorSettings));
program.addCommand(restoreCommand(operatorSettings));
program.addCommand(verifyCommand(ownAddress));
program.addCommand(doctorCommand());
program.addCommand(knowledgeCommand(() => readEnvironment().KNOWLEDGE_KEY));
program.addCommand(migrateCommand(() => readEnvironment()));

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`postern: ${reasonOf(error)}\n`);
  process.exitCode = error instanceof EnvironmentError ? 2 : 1;
}

function reasonOf(error: unknown): string {
  if (codeOfError(error) === 'EADDRINUSE') return 'the port is in use: stop who has it, or set PORT';
  return error instanceof Error ? error.message : 'failed';
}

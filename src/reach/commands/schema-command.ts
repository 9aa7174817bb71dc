import type { Command } from 'commander';
import type { CliContext } from './cli-context.js';

export function addSchema(program: Command, { stdout }: CliContext): void {
  program
    .command('schema')
    .description('Prints the JSON Schema of the usage report, reach/1.')
    .action(async () => stdout(`${JSON.stringify(await reportSchema(), null, 2)}\n`));
}

/** The JSON Schema (draft 2020-12) of a report as it is uploaded. */
async function reportSchema() {
  const z = await import('zod');
  const { usageReport } = await import('../../procedures/usage-report.js');
  return z.toJSONSchema(usageReport, { io: 'input' });
}

import type { Command } from 'commander';
import * as z from 'zod';
import { usageReport } from '../procedures/usage-report.js';
import type { Surroundings } from './surroundings.js';

/** Adds `reach schema`. */
export function addSchema(program: Command, { stdout }: Surroundings): void {
  program
    .command('schema')
    .description('Prints the JSON Schema of the usage report, reach/1.')
    .action(() => stdout(`${JSON.stringify(reportSchema(), null, 2)}\n`));
}

/** The JSON Schema (draft 2020-12) of a report as it is uploaded. */
function reportSchema() {
  return z.toJSONSchema(usageReport, { io: 'input' });
}

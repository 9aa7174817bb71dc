import type { Command } from 'commander';
import * as z from 'zod';
import { procedures } from '../../procedures/index.js';
import { planLimits } from '../../procedures/remediation.js';
import { parseUsage, remoteServiceFrom } from '../remote/environment.js';
import { type CommandContext, fail } from './cli-context.js';

const examples = `
Examples:
  reach plan --project prj_1              the ten upgrades that close most
  reach plan --project prj_1 --limit 50   more of them
  reach plan --project prj_1 --json       the plan as one JSON object

Environment:
  SERVICE_API_KEY   an API key; a ReadOnly one will do
  SERVICE_API_URL   the service (default http://127.0.0.1:3000)

Exits with 0 when done, 1 when refused or failed, 2 for wrong usage.
`;

const flags = z.object({
  project: z.string(),
  limit: z.coerce.number().int().min(1).max(planLimits.upgrades).default(10),
  json: z.boolean().default(false),
});

export function addPlan(program: Command, context: CommandContext): void {
  const { env, version, stdout } = context;
  program
    .command('plan')
    .description(
      'Names the upgrades that close most of a project’s alerts: versions, files to change, what stays open.',
    )
    .requiredOption('--project <ID>', 'the project, by its id or name')
    .option('--limit <NUMBER>', `upgrades to name, at most ${planLimits.upgrades}`, '10')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples)
    .action(async (given: unknown) => {
      const { project, limit, json } = parseUsage(flags, given);
      const service = remoteServiceFrom(env, `reach/${version}`);
      const { call } = await import('../remote/remote-service.js');
      const { failureOf } = await import('../remote/failure.js');
      const { planText } = await import('../plan/plan-text.js');
      try {
        const plan = await call(service, procedures.remediation.plan, { project_id: project, limit });
        stdout(json ? `${JSON.stringify(plan)}\n` : planText(plan));
      } catch (error) {
        fail(context, failureOf(error));
      }
    });
}
